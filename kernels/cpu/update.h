// The stage update on the CPU: a half-iteration with CG, a row at a time from its ratings to its
// solution. A row is one thread's, so that the bits do not depend on how many there are.
#pragma once

#include "kernels/cpu/cg.h"
#include "kernels/cpu/parallel.h"
#include "kernels/shared/params.h"

namespace alsbench {

// A_u is formed as in hermitian_blocked, in memory that stays in the cache, and solved there.
void update_blocked(const UpdateParams& params, bool half_factors, const CgOptions& options,
                    const CpuResources& resources);

}  // namespace alsbench
