// SPDX-License-Identifier: Apache-2.0
// How many lanes share a rating; the plan reads it as well.
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

// So many that each has 16 bytes of a factor row, a power of two of at most a warp.
ALSBENCH_HOST_DEVICE constexpr int sgd_lanes(int rank, int element_bytes) {
  const int vectors = factor_pitch(rank) * element_bytes / 16;
  int lanes = 1;
  while (lanes < 32 && lanes < vectors) lanes *= 2;
  return lanes;
}

// Elements of a vector of a lane, where `lanes` lanes share a row: as many as they need to read it
// at once, but 16 bytes at most.
ALSBENCH_HOST_DEVICE constexpr int sgd_vector(int rank, int element_bytes, int lanes) {
  int elements = 1;
  while (elements * element_bytes < 16 && elements * lanes < factor_pitch(rank)) elements *= 2;
  return elements;
}

}  // namespace alsbench
