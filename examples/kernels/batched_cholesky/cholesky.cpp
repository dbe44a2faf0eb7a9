// SPDX-License-Identifier: Apache-2.0
// A = L L^T in place: the lower triangle becomes L, and zeros are above. Sums are in Sum.
#include <cmath>
#include <cstddef>

template <class Sum>
void cholesky(float* matrices, int batch, int n) {
#pragma omp parallel for
  for (int b = 0; b < batch; ++b) {
    float* a = matrices + size_t(b) * n * n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (j > i) {
          a[i * n + j] = 0;
          continue;
        }
        Sum sum = a[i * n + j];
        for (int k = 0; k < j; ++k) sum -= static_cast<Sum>(a[i * n + k]) * a[j * n + k];
        a[i * n + j] = static_cast<float>(i == j ? std::sqrt(sum) : sum / a[j * n + j]);
      }
  }
}
