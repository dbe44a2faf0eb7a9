// SPDX-License-Identifier: Apache-2.0
// A = L L^T in place: the lower triangle becomes L, and zeros are above. A block of kThreads
// factors one n x n matrix in shared memory, whose rows lie n + kPadding apart.
template <int kThreads, int kPadding>
__global__ void __launch_bounds__(kThreads) cholesky_shared(float* matrices, int batch, int n) {
  extern __shared__ float tile[];
  const int pitch = n + kPadding;
  float* matrix = matrices + static_cast<size_t>(blockIdx.x) * n * n;
  for (int i = threadIdx.x; i < n * n; i += kThreads) tile[i / n * pitch + i % n] = matrix[i];
  __syncthreads();
  for (int j = 0; j < n; ++j) {
    const float pivot = sqrtf(tile[j * pitch + j]);
    __syncthreads();  // all have read it
    for (int i = j + threadIdx.x; i < n; i += kThreads)
      tile[i * pitch + j] = i == j ? pivot : tile[i * pitch + j] / pivot;
    __syncthreads();
    const int left = n - j - 1;  // the square that remains, of which the lower triangle is updated
    for (int at = threadIdx.x; at < left * left; at += kThreads) {
      const int row = j + 1 + at / left, column = j + 1 + at % left;
      if (column <= row)
        tile[row * pitch + column] -= tile[row * pitch + j] * tile[column * pitch + j];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * n; i += kThreads)
    matrix[i] = i % n <= i / n ? tile[i / n * pitch + i % n] : 0;
}
