// SPDX-License-Identifier: Apache-2.0
// Sparse x dense of cuSPARSE: the right-hand sides b of a batch of rows, as ratings times factors.
// The handle is an opaque cusparseHandle_t and carries its stream.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench::vendor {

enum class SpmmAlgorithm { standard, csr1, csr2, csr3 };

struct SpmmProblem {
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t nnz = 0;
  const int32_t* offsets = nullptr;  // rows + 1, from 0
  const int32_t* indices = nullptr;  // nnz
  const float* values = nullptr;     // nnz
  const float* factors = nullptr;    // cols x width, row-major
  float* product = nullptr;          // rows x width, row-major
  int32_t width = 0;
  SpmmAlgorithm algorithm = SpmmAlgorithm::standard;
};

int64_t spmm_workspace_bytes(void* cusparse, const SpmmProblem& problem);
void spmm(void* cusparse, const SpmmProblem& problem, void* workspace);

}  // namespace alsbench::vendor
