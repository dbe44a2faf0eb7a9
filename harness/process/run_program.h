// SPDX-License-Identifier: Apache-2.0
// A program that is run to its end, however long that takes.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "harness/process/process.h"

namespace alsbench {

struct FinishedProgram {
  ProcessEnd end;
  std::vector<std::string> log_tail;

  // The last thousand bytes of what it wrote.
  std::string output_tail() const;
};

// A Ctrl-C comes by way of us: throws Interrupted once the program has been asked to end and has
// ended. Throws EnvironmentError where no process can be made.
FinishedProgram run_program(const std::vector<std::string>& words,
                            const std::atomic<bool>* interrupted);

}  // namespace alsbench
