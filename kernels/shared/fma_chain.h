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
};

constexpr int kFmaSteps = 1024;  // of a chain
constexpr int kFmaSummed = 8;
constexpr float kFmaTerm = 1.0f / 1024, kFmaFactor = 1 - kFmaTerm;

ALSBENCH_HOST_DEVICE inline float fma_start(int64_t chain) {
  constexpr int kStarts = 61;
  return 1 + static_cast<float>(chain % kStarts) / 64;
}

}  // namespace alsbench
