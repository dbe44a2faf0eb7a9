// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/simd/simd.h"

namespace alsbench {

extern const SimdKernels kGenericKernels;
#if defined(__x86_64__)
extern const SimdKernels kAvx2Kernels;
extern const SimdKernels kAvx512Kernels;
#endif

constexpr int64_t kMaxTileRows = 12;

const SimdKernels* supported_simd(int index) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4") && index-- == 0) return &kAvx512Kernels;
  if (__builtin_cpu_supports("x86-64-v3") && index-- == 0) return &kAvx2Kernels;
#endif
  return index == 0 ? &kGenericKernels : nullptr;
}

const SimdKernels& simd() {
  static const SimdKernels& chosen = *supported_simd(0);
  return chosen;
}

int64_t rank_update_pitch(int rank) {
  return (rank_update_rows(rank) + kWidestVector - 1) / kWidestVector * kWidestVector;
}

int64_t rank_update_rows(int rank) {
  static_assert(kWidestVector >= kMaxTileRows);
  return rank + kWidestVector - 1;
}

int64_t cholesky_rows(int rank) {
  return (rank + kCholeskyRows - 1) / kCholeskyRows * kCholeskyRows;
}

int64_t cholesky_pitch(int rank) {
  // A block of two vectors may begin in any of the columns up to b's, which is cholesky_rows.
  return (cholesky_rows(rank) / kWidestVector + 2) * kWidestVector;
}

}  // namespace alsbench
