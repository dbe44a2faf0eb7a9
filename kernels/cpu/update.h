// SPDX-License-Identifier: Apache-2.0
// The stage update on the CPU: a half-iteration, a row at a time from its ratings to its solution.
// A row is one thread's, so the bits do not depend on how many there are.
#pragma once

#include "kernels/cpu/cg.h"
#include "kernels/cpu/gathered_rows.h"
#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

// A_u is formed as in hermitian_blocked, in memory that stays in the cache, and solved there.
void update_blocked(const UpdateParams& params, bool half_factors, const CgOptions& options,
                    const CpuResources& resources);
// The same with Cholesky as in solve_blocked_cholesky.
void update_cholesky(const UpdateParams& params, bool half_factors, const CpuResources& resources);
// A_u is never formed: A_u v = sum theta (theta . v) + lambda n_u v, over factor rows that are
// gathered once; of rows that pass the limits a part at a time, in every product again.
void update_matrix_free(const UpdateParams& params, bool half_factors, const CgOptions& options,
                        const CpuResources& resources, const GatherLimits& limits = {});

}  // namespace alsbench
