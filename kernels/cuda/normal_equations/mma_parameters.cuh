// SPDX-License-Identifier: Apache-2.0
// Extensions of normal_equations/mma to the common tensor-core layout: a parameter that is a word,
// spelled in NVRTC instances as it is here, and the shared memory that A_u leaves a warp through.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The kernels that run: `multiply` leaves A_u unwritten and is for timing.
enum class MmaPhase { all, multiply };

constexpr int kBoxPitch = 17;  // floats from one row of a block to the next

// 16 rows of A_u, or where a team shares a row, a block of 16 x 16.
ALSBENCH_HOST_DEVICE constexpr int mma_strip_bytes(int rank, int output_bytes, int team) {
  return team > 1 ? 16 * kBoxPitch * 4 : (16 * rank * output_bytes + 15) / 16 * 16;
}

}  // namespace alsbench
