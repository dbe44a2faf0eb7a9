// Views of device (or host) memory that kernels work on: plain structs, passed by value, owning
// nothing.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Ratings of one side in CSR form: row u holds the cells [offsets[u], offsets[u + 1]), indices
// ascending in a row. For the Theta side the rows are items and the columns users (the CSC of R).
struct RatingsView {
  const int64_t* offsets = nullptr;  // rows + 1
  const int32_t* offsets32 =
      nullptr;  // the same in 32 bits for vendor libraries; null when nnz >= 2^31
  const int32_t* indices = nullptr;  // nnz
  const float* values = nullptr;     // nnz
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t nnz = 0;
};

// A row-major factor matrix, rows x rank; row i starts at element i * pitch. Elements [rank, pitch)
// are zero. The element type (float, or IEEE half as uint16_t) is the configuration's `factors`.
struct FactorsView {
  void* data = nullptr;
  int64_t rows = 0;
  int32_t rank = 0;
  int32_t pitch = 0;
};

}  // namespace alsbench
