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

// A problem's matrix as cuSPARSE knows it.
class Spmm {
 public:
  explicit Spmm(const SpmmProblem& problem);
  ~Spmm();
  Spmm(const Spmm&) = delete;
  Spmm& operator=(const Spmm&) = delete;

  // Whether the other problem has the same matrix and algorithm, and operands of the same width.
  bool fits(const SpmmProblem& other) const;
  int64_t workspace_bytes(void* cusparse) const;
  // Looks through the matrix for products to come, which take this workspace as it is left.
  void analyse(void* cusparse, void* workspace) const;
  void multiply(void* cusparse, const float* factors, float* product, void* workspace) const;

 private:
  SpmmProblem problem_;
  void* matrix_ = nullptr;  // cusparseSpMatDescr_t
};

}  // namespace alsbench::vendor
