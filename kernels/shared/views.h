// SPDX-License-Identifier: Apache-2.0
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
  float half_scale = 1;  // see half_scale_bits: for kernels that multiply ratings as halves
};

// The power of two that brings magnitudes of up to `largest` (bits of a float, as are those
// returned) to [2^14, 2^15): as sums of two halves, numbers then neither overflow nor lose digits
// down to 2^-17 of the largest. Below 2^-63 it grows no more, so it stays finite.
ALSBENCH_HOST_DEVICE constexpr uint32_t half_scale_bits(uint32_t largest) {
  constexpr uint32_t kExponent = 0xffu << 23, kMinValue = 64u << 23, kUp = (254u + 14u) << 23;
  const uint32_t exponent = largest & kExponent;
  return kUp - (exponent > kMinValue ? exponent : kMinValue);
}

// Elements from one factor row to the next: the rank padded so that a row of either storage type is
// 16-byte aligned.
ALSBENCH_HOST_DEVICE constexpr int32_t factor_pitch(int32_t rank) { return (rank + 7) / 8 * 8; }

// A row-major factor matrix, rows x rank; row i starts at element i * pitch. Elements [rank, pitch)
// are zero. The element type is that of the configuration's `factors`.
struct FactorsView {
  void* data = nullptr;
  int64_t rows = 0;
  int32_t rank = 0;
  int32_t pitch = 0;  // factor_pitch(rank)
};

}  // namespace alsbench
