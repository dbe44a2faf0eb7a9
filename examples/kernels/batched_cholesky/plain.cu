// SPDX-License-Identifier: Apache-2.0
// A = L L^T in place: the lower triangle becomes L, and zeros are above. A thread factors a matrix,
// with sums in double.
extern "C" __global__ void cholesky_plain_cuda(float* matrices, int batch, int n) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= batch) return;
  float* a = matrices + static_cast<size_t>(b) * n * n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = a[i * n + j];
      for (int k = 0; k < j && j <= i; ++k) sum -= static_cast<double>(a[i * n + k]) * a[j * n + k];
      a[i * n + j] = static_cast<float>(j > i ? 0 : i == j ? sqrt(sum) : sum / a[j * n + j]);
    }
}
