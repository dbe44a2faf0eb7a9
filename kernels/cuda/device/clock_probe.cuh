// SPDX-License-Identifier: Apache-2.0
// Measures the SM clock of what runs between two launches: the first notes cycles and time of each
// multiprocessor, the last says what has passed since then on the same ones. The clock recovers
// within some 10 us of the last instruction on tensor cores, so a probe behind the work tells
// nothing of it. Grid: a block of one warp a multiprocessor.
#pragma once

#include "kernels/cuda/device/clock.cuh"
#include "kernels/shared/params/tools.h"

namespace alsbench {

struct Moment {
  uint64_t nanoseconds, cycles;
};

// Both are read at a step of the timer.
__device__ inline Moment next_step() {
  const uint64_t now = global_nanoseconds();
  uint64_t later = now;
  while (later == now) later = global_nanoseconds();
  return {later, cycles()};
}

__global__ void clock_probe(ClockProbeParams p) {
  if (threadIdx.x != 0) return;
  const uint32_t number = multiprocessor();
  Moment now = next_step();
  if (p.spans != nullptr) {
    const bool known = number < kClockMarks && p.marks[number].sample == p.sample;
    p.spans[blockIdx.x] = known ? ClockSpan{now.cycles - p.marks[number].cycles,
                                            now.nanoseconds - p.marks[number].nanoseconds}
                                : ClockSpan{0, 0};
    return;
  }
  const uint64_t begin = now.nanoseconds;
  while (now.nanoseconds - begin < p.spin_nanoseconds) now = next_step();
  if (number < kClockMarks) p.marks[number] = {p.sample, now.cycles, now.nanoseconds};
}

}  // namespace alsbench
