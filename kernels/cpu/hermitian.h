// SPDX-License-Identifier: Apache-2.0
// The stage hermitian on the CPU: A_u = sum theta theta^T + lambda n_u I, whole and symmetric; the
// identity for an empty row. The variants of variants/hermitian call these.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd/simd.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

struct HermitianOptions {
  bool half_factors = false;
  bool half_output = false;  // A_u / n_u in half
  int bin = 64;              // factor rows gathered at a time
  bool streaming = true;     // float output past the caches
  RegisterTile tile;         // blocked only
  bool half_product = true;  // blas only: ssyrk, which does half of sgemm's products
};

// Every rating adds its outer product to the whole matrix in memory.
void hermitian_naive(const UpdateParams& params, const HermitianOptions& options,
                     const CpuResources& resources);
// A bin of factor rows is gathered, then the lower triangle is updated from registers.
void hermitian_blocked(const UpdateParams& params, const HermitianOptions& options,
                       const CpuResources& resources);
// The same for batch row `item` alone; `scratch` holds hermitian_floats, zero before its first use.
void hermitian_blocked_row(const UpdateParams& params, const HermitianOptions& options,
                           int64_t item, float* scratch);
int64_t hermitian_floats(int rank, const HermitianOptions& options);
// The same with OpenBLAS in place of the register tiles.
void hermitian_blas(const UpdateParams& params, const HermitianOptions& options,
                    const CpuResources& resources);

}  // namespace alsbench
