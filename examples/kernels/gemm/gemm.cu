// SPDX-License-Identifier: Apache-2.0
// C = A B, row-major: M x K, K x N, M x N. A block computes TILE x TILE of C, DEPTH columns of A
// at a time; a thread keeps EACH x EACH of them in registers.
extern "C" __global__ void __launch_bounds__((TILE / EACH) * (TILE / EACH))
    gemm_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int kSide = TILE / EACH, kThreads = kSide * kSide;
  __shared__ float a_tile[DEPTH][TILE], b_tile[DEPTH][TILE];
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  float sum[EACH][EACH] = {};
  for (int at = 0; at < k; at += DEPTH) {
    for (int i = thread; i < DEPTH * TILE; i += kThreads) {
      const int row = first_row + i / DEPTH, depth = at + i % DEPTH;
      a_tile[i % DEPTH][i / DEPTH] =
          row < m && depth < k ? a[static_cast<size_t>(row) * k + depth] : 0;
    }
    for (int i = thread; i < DEPTH * TILE; i += kThreads) {
      const int depth = at + i / TILE, column = first_column + i % TILE;
      b_tile[i / TILE][i % TILE] =
          depth < k && column < n ? b[static_cast<size_t>(depth) * n + column] : 0;
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; ++d) {
      float left[EACH], right[EACH];
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
        left[i] = a_tile[d][threadIdx.y * EACH + i];
        right[i] = b_tile[d][threadIdx.x + i * kSide];
      }
#pragma unroll
      for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) {
      const int row = first_row + threadIdx.y * EACH + i;
      const int column = first_column + threadIdx.x + j * kSide;
      if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum[i][j];
    }
}
