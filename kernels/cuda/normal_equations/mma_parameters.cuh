// SPDX-License-Identifier: Apache-2.0
// Extensions of normal_equations/mma to the common tensor-core layout: a parameter that is a word,
// spelled in NVRTC instances as it is here, and the shared memory that A_u leaves a warp through.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The kernels that run: `multiply` leaves A_u unwritten and is for timing.
enum class MmaPhase { all, multiply };

// 16 rows of A_u; a team writes from registers.
ALSBENCH_HOST_DEVICE constexpr int mma_strip_bytes(int rank, int output_bytes, int team) {
  return team > 1 ? 0 : (16 * rank * output_bytes + 15) / 16 * 16;
}

}  // namespace alsbench
