// SPDX-License-Identifier: Apache-2.0
// The rows that the ceilings gather_l1, gather_l2 and gather_memory read: drawn at random, one
// after another, from a source of 2^row_bits rows. Nothing but their sum is kept.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Arguments of these ceilings. A stream reads `rows` rows.
struct GatherParams {
  const uint32_t* source = nullptr;
  uint32_t* target = nullptr;  // a stream's sum of all the words it read
  int64_t streams = 0;
  int32_t row_bits = 0;
  int32_t rows = 0;  // a multiple of kGatherInFlight
};

constexpr int kGatherWords = 128;   // of a row: a vector of 16 bytes a lane of a warp
constexpr int kGatherInFlight = 8;  // rows under way at a time

// A draw is a step of the generator "ranqd1" of Numerical Recipes, 2nd ed., 7.1.
ALSBENCH_HOST_DEVICE inline uint32_t gather_start(uint32_t stream) { return stream * 2654435761u; }
constexpr uint32_t kGatherFactor = 1664525u, kGatherTerm = 1013904223u;
ALSBENCH_HOST_DEVICE inline uint32_t gather_next(uint32_t state) {
  return state * kGatherFactor + kGatherTerm;
}
ALSBENCH_HOST_DEVICE inline uint32_t gather_row(uint32_t state, int row_bits) {
  return state >> (32 - row_bits);
}

}  // namespace alsbench
