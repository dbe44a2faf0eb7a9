// SPDX-License-Identifier: Apache-2.0
// C = A B, row-major: M x K, K x N, M x N. A thread computes an element, in double.
extern "C" __global__ void gemm_plain_cuda(const float* a, const float* b, float* c, int m, int n,
                                           int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= n) return;
  double sum = 0;
  for (int d = 0; d < k; ++d)
    sum += static_cast<double>(a[static_cast<size_t>(row) * k + d]) *
           b[static_cast<size_t>(d) * n + column];
  c[static_cast<size_t>(row) * n + column] = static_cast<float>(sum);
}
