// SPDX-License-Identifier: Apache-2.0
// The stage solve on the CPU: x_u from A_u and b_u; an empty row (A = I, b = 0) gives zero. lu and
// cholesky overwrite A_u with its factors; the baseline factorize_batched stops there.
#pragma once

#include "kernels/cpu/cg.h"
#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

// half_matrices: A_u / n_u in half, so b_u is scaled by 1 / n_u.
void solve_cg(const UpdateParams& params, bool half_matrices, const CgOptions& options,
              const CpuResources& resources);
// The same for batch row `item` alone; `scratch` holds solve_cg_floats(rank).
void solve_cg_row(const UpdateParams& params, bool half_matrices, const CgOptions& options,
                  int64_t item, float* scratch);
int64_t solve_cg_floats(int rank);
// Cholesky in vectors, without a library: A_u is read once and left as it is. Where it is not
// positive definite, x_u is NaN.
void solve_blocked_cholesky(const UpdateParams& params, const CpuResources& resources);
// The same for batch row `item` alone; `scratch` holds solve_cholesky_floats(rank).
void solve_cholesky_row(const UpdateParams& params, int64_t item, float* scratch);
int64_t solve_cholesky_floats(int rank);
void solve_lu(const UpdateParams& params, const CpuResources& resources);
void solve_cholesky(const UpdateParams& params, const CpuResources& resources);
void factorize_lu(const UpdateParams& params, const CpuResources& resources);
void factorize_cholesky(const UpdateParams& params, const CpuResources& resources);

}  // namespace alsbench
