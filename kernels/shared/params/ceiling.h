// SPDX-License-Identifier: Apache-2.0
// Arguments of the ceilings copy, gather_copy and gemm_batched. Every kernel of a stage, CUDA or
// CPU, takes them by value.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The baselines copy and gather_copy.
struct CopyParams {
  const void* source = nullptr;
  void* target = nullptr;
  const int32_t* indices = nullptr;  // gather_copy: target row i is source row indices[i]
  int64_t rows = 0;                  // gather_copy: rows written
  int64_t source_rows = 0;
  int64_t bytes = 0;  // copy: bytes; gather_copy: bytes a row
};

// The baseline gemm_batched: C_i = A_i^T A_i at equal row lengths, the dense counterpart of the
// stage hermitian. A_i is k x m row-major (k ratings, m = rank); element type by the
// configuration's `precision`; C is float.
struct GemmParams {
  const void* a = nullptr;  // batch x k x m
  float* c = nullptr;       // batch x m x m
  int64_t batch = 0;
  int64_t k = 0;
  int32_t m = 0;
};

}  // namespace alsbench
