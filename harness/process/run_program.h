// SPDX-License-Identifier: Apache-2.0
// A program that is run to its end, or to its limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/process/process.h"

namespace alsbench {

struct ProgramLimits {
  double seconds = std::numeric_limits<double>::infinity();
  int64_t bytes = 0;  // resident, of all its processes; 0: no limit, and nobody looks
};

struct FinishedProgram {
  ProcessEnd end;
  std::vector<std::string> log_tail;
  std::string excess = {};  // "was not done within 600 s and was killed"; "": it ended by itself

  bool succeeded() const { return excess.empty() && end.exited_with(0); }
  // How it ended: "ended with exit code 3", or its excess.
  std::string text() const { return excess.empty() ? end.text() : excess; }
  // The last thousand bytes of what it wrote.
  std::string output_tail() const;
};

// Nothing that it started outlives it where it has limits. A Ctrl-C comes by way of us: throws
// Interrupted once the program has been asked to end and has ended. Throws EnvironmentError where
// no process can be made.
FinishedProgram run_program(const std::vector<std::string>& words,
                            const std::atomic<bool>* interrupted, const ProgramLimits& limits = {});

}  // namespace alsbench
