// SPDX-License-Identifier: Apache-2.0
// The chains of the ceiling fma: each step multiplies and adds once, and takes a number nearer to
// 1. Several chains a thread, so the units wait for none.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Arguments of the ceiling fma. A task is `chains` chains, numbered one task after another.
struct FmaParams {
  float* target = nullptr;  // a sum of the ends of each kFmaSummed chains
  int64_t tasks = 0;
  int32_t chains = 0;  // of a task, a multiple of kFmaSummed
  int32_t steps = 0;   // of a chain
};

constexpr int kFmaSummed = 8;
constexpr float kFmaTerm = 1.0f / 65536, kFmaFactor = 1 - kFmaTerm;

constexpr uint32_t kFmaStarts = 61;  // after which they repeat
ALSBENCH_HOST_DEVICE inline float fma_start(uint32_t chain) {
  return 1 + static_cast<float>(chain % kFmaStarts) / 64;
}

}  // namespace alsbench
