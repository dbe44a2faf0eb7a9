// SPDX-License-Identifier: Apache-2.0
// to = from + rate (sum of the six neighbours - 6 from); points outside the cube are those of its
// surface. A block treats BLOCK_X x BLOCK_Y columns and PLANES planes.
#include "clamp.cuh"

__device__ float load(const float* at) { return READ_ONLY ? __ldg(at) : *at; }

extern "C" __global__ void __launch_bounds__(BLOCK_X* BLOCK_Y)
    heat_planes(const float* from, float* to, float rate, int nx, int ny, int nz) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const size_t plane = static_cast<size_t>(nx) * ny;
  const size_t row = static_cast<size_t>(y) * nx;
  const size_t left = row + clamped(x - 1, nx), right = row + clamped(x + 1, nx);
  const size_t front = static_cast<size_t>(clamped(y - 1, ny)) * nx + x;
  const size_t back = static_cast<size_t>(clamped(y + 1, ny)) * nx + x;
  const int first = blockIdx.z * PLANES, last = min(first + PLANES, nz);
  float below = load(from + clamped(first - 1, nz) * plane + row + x);
  float here = load(from + first * plane + row + x);
  for (int z = first; z < last; ++z) {
    const float* at = from + z * plane;
    const float above = load(from + clamped(z + 1, nz) * plane + row + x);
    const float sum = load(at + left) + load(at + right) + load(at + front) + load(at + back);
    to[z * plane + row + x] = here + rate * (sum + below + above - 6 * here);
    below = here;
    here = above;
  }
}
