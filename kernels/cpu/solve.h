// The stage solve on the CPU: x_u from A_u and b_u; an empty row (A = I, b = 0) gives zero. lu and
// cholesky overwrite A_u with its factors; the baseline factorize_batched stops there.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params.h"

namespace alsbench {

struct CgOptions {
  bool half_matrices = false;  // A_u / n_u in half: b_u is scaled by 1 / n_u
  bool warm_start = true;      // from the previous x_u, else from zero
  int steps = 6;
  float tolerance = 0;  // stop at ||r|| <= tolerance ||b||
};

void solve_cg(const UpdateParams& params, const CgOptions& options, const CpuResources& resources);
void solve_lu(const UpdateParams& params, const CpuResources& resources);
void solve_cholesky(const UpdateParams& params, const CpuResources& resources);
void factorize_lu(const UpdateParams& params, const CpuResources& resources);
void factorize_cholesky(const UpdateParams& params, const CpuResources& resources);

}  // namespace alsbench
