// SPDX-License-Identifier: Apache-2.0
// Measures the SM clock during a timed region: one warp spins for a fixed time by the global
// nanosecond timer and reports the cycles that passed.
#pragma once

#include "kernels/shared/params/tools.h"

namespace alsbench {

__device__ inline uint64_t global_nanoseconds() {
  uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

// The global timer moves in steps (32 ns to 1 us by device), so both ends are taken at a step.
__device__ inline uint64_t next_step() {
  const uint64_t now = global_nanoseconds();
  uint64_t later = now;
  while (later == now) later = global_nanoseconds();
  return later;
}

__global__ void clock_probe(ClockProbeParams params) {
  if (threadIdx.x != 0) return;
  const uint64_t begin = next_step();
  const long long first_cycle = clock64();
  uint64_t end = begin;
  while (end - begin < params.spin_nanoseconds) end = next_step();
  const long long last_cycle = clock64();
  if (params.result == nullptr) return;
  params.result[0] = static_cast<uint64_t>(last_cycle - first_cycle);
  params.result[1] = end - begin;
}

}  // namespace alsbench
