// SPDX-License-Identifier: Apache-2.0
// C = A B, row-major: M x K, K x N, M x N.
#include <cstddef>

void gemm_plain(const float* a, const float* b, float* c, int m, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int d = 0; d < k; ++d)
        sum += static_cast<double>(a[size_t(i) * k + d]) * b[size_t(d) * n + j];
      c[size_t(i) * n + j] = static_cast<float>(sum);
    }
}
