// SPDX-License-Identifier: Apache-2.0
// GEMM of cuBLAS. Batched: C_i = A_i^T A_i of GemmParams, the dense counterpart of the stage
// hermitian. Handles are opaque cublasHandle_t and carry their stream.
#pragma once

#include "kernels/shared/params/basis.h"
#include "kernels/shared/params/ceiling.h"

namespace alsbench::vendor {

// fp32 multiplies in FP32 exactly; tf32 rounds the inputs on tensor cores; fp16 reads half; int8
// reads bytes and writes integers.
enum class GemmPrecision { fp32, tf32, fp16, int8 };

struct GemmForm {
  GemmPrecision precision = GemmPrecision::fp32;
  int padding = 1;  // m and k are rounded up to a multiple; int8: of 4 at least
};

void gemm_strided_batched(void* cublas, const GemmParams& params, const GemmForm& form);
// The same through pointer arrays of the device, one pointer a matrix.
void gemm_pointer_batched(void* cublas, const GemmParams& params, const GemmForm& form,
                          const void* const* a, void* const* c);

// The stage rotate, in FP32. Leaves the padding of the target alone.
void rotate(void* cublas, const RotateParams& params);

}  // namespace alsbench::vendor
