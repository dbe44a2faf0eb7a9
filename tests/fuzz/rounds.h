// SPDX-License-Identifier: Apache-2.0
// Rounds of changed inputs for all readers, in a child process: what ends the child is counted, and
// the next child goes on after that input.
#pragma once

#include <cstdint>
#include <string>

namespace alsbench::fuzz {

struct Plan {
  int64_t inputs = 1000;  // of each reader in a round
  uint64_t seed = 1;      // of the first round; each later one adds 1
  double seconds = 0;     // rounds go on for this long; 0: there is one
  std::string reader;     // empty: all of them
};

// Prints a table of the readers; how many faults there were.
int64_t run_rounds(const Plan& plan);

}  // namespace alsbench::fuzz
