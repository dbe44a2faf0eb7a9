// SPDX-License-Identifier: Apache-2.0
// Arguments of the ceilings copy, read, gather_copy and gemm_batched. Every kernel of a stage, CUDA
// or CPU, takes them by value.
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

// The ceiling read: each part of a source is read by one of the kernel's tasks, in any way.
struct ReadParams {
  const void* source = nullptr;
  int64_t bytes = 0;         // a multiple of 16
  uint32_t* sums = nullptr;  // one a task; together `passes` times the sum of the source's words
  int64_t tasks = 0;         // CUDA: warps
  int32_t passes = 1;        // how often the source is read
};

// The comparison gemm_batched: C_i = A_i^T A_i at equal row lengths, the dense counterpart of the
// stage hermitian. A_i is k x m (k ratings, m = rank), with zeros up to padded_k x padded_m; the
// element type is that of the configuration's `precision`. It is row-major, except for int8: the
// library multiplies bytes quickly where k is the dimension without stride.
struct GemmParams {
  const void* a = nullptr;  // batch x padded_k x padded_m; int8: batch x padded_m x padded_k
  void* c = nullptr;        // batch x padded_m x padded_m floats; int8: integers of 32 bits
  int64_t batch = 0;
  int64_t k = 0, padded_k = 0;
  int32_t m = 0, padded_m = 0;
  ALSBENCH_HOST_DEVICE int64_t a_stride() const { return padded_k * padded_m; }
  ALSBENCH_HOST_DEVICE int64_t c_stride() const { return int64_t{padded_m} * padded_m; }
};

}  // namespace alsbench
