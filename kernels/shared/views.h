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
  float half_scale = 1;  // see half_scale_of: for kernels that multiply ratings as halves
};

// The power of two that brings the largest |rating|, given as the bits of a float, to [2^14, 2^15):
// as sums of two halves, ratings then neither overflow nor lose digits down to 2^-17 of the
// largest.
ALSBENCH_HOST_DEVICE constexpr float half_scale_of(uint32_t largest_bits) {
  const int exponent = 14 + 127 - static_cast<int>(largest_bits >> 23);
  float scale = 1;
  for (int i = 0; i < exponent && i < 126; ++i) scale *= 2;
  for (int i = 0; i > exponent; --i) scale /= 2;
  return scale;
}

// Elements from one factor row to the next: the rank padded so that a row of either storage type is
// 16-byte aligned.
ALSBENCH_HOST_DEVICE constexpr int32_t factor_pitch(int32_t rank) { return (rank + 7) / 8 * 8; }

// A row-major factor matrix, rows x rank; row i starts at element i * pitch. Elements [rank, pitch)
// are zero. The element type (float, or IEEE half as uint16_t) is the configuration's `factors`.
struct FactorsView {
  void* data = nullptr;
  int64_t rows = 0;
  int32_t rank = 0;
  int32_t pitch = 0;  // factor_pitch(rank)
};

}  // namespace alsbench
