// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h. A test says what the
// clocks show.
#pragma once

#include "tests/emulation/block.h"

namespace emulation {

struct Clocks {
  uint64_t nanoseconds = 0;  // moves with every look
  double cycles_per_nanosecond = 1;
  uint32_t first_multiprocessor = 0;  // that block 0 runs on
};
inline thread_local Clocks clocks;

}  // namespace emulation

namespace alsbench {

inline uint64_t global_nanoseconds() {
  constexpr uint64_t kLook = 7, kStep = 32;
  emulation::clocks.nanoseconds += kLook;
  return emulation::clocks.nanoseconds / kStep * kStep;
}
inline uint64_t cycles() {
  return static_cast<uint64_t>(emulation::clocks.cycles_per_nanosecond *
                               static_cast<double>(emulation::clocks.nanoseconds));
}
inline uint32_t multiprocessor() { return emulation::clocks.first_multiprocessor + blockIdx.x; }

}  // namespace alsbench
