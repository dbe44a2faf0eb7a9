// SPDX-License-Identifier: Apache-2.0
// C = A B, row-major: M x K, K x N, M x N. ROWS rows of C at a time, and DEPTH rows of B.
#include <algorithm>
#include <cstddef>

void gemm_blocked(const float* a, const float* b, float* c, int m, int n, int k) {
#pragma omp parallel for
  for (int first = 0; first < m; first += ROWS) {
    const int last = std::min(m, first + ROWS);
    std::fill(c + size_t(first) * n, c + size_t(last) * n, 0.f);
    for (int at = 0; at < k; at += DEPTH)
      for (int i = first; i < last; ++i)
        for (int d = at; d < std::min(k, at + DEPTH); ++d) {
          const float left = a[size_t(i) * k + d];
          for (int j = 0; j < n; ++j) c[size_t(i) * n + j] += left * b[size_t(d) * n + j];
        }
  }
}
