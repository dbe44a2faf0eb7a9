// SPDX-License-Identifier: Apache-2.0
// The fixed chain of the baseline spin: each number follows from the one before it, in registers
// alone, so nothing but the clock decides how long a chain takes. In integers, so every backend
// gives the same bits.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Arguments of the ceiling spin.
struct SpinParams {
  uint32_t* target = nullptr;
  int64_t chains = 0;
};

constexpr int kSpinSteps = 1 << 15;  // of a chain: some 70 us at 2 GHz
constexpr int kSpinChains = 128;     // of a multiprocessor, or a thread of the CPU

// A step is multiply and add (the generator "ranqd1" of Numerical Recipes, 2nd ed., 7.1).
constexpr uint32_t kSpinFactor = 1664525u, kSpinTerm = 1013904223u;

ALSBENCH_HOST_DEVICE inline uint32_t spin_chain(uint32_t start) {
  uint32_t x = start;
  for (int step = 0; step < kSpinSteps; ++step) {
    x = x * kSpinFactor + kSpinTerm;
    asm volatile("" : "+r"(x));  // no compiler makes one step of several
  }
  return x;
}

}  // namespace alsbench
