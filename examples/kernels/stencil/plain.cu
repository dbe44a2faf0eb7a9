// SPDX-License-Identifier: Apache-2.0
// to = from + rate (sum of the six neighbours - 6 from); points outside the cube are those of its
// surface. A thread computes a point.
#include "clamp.cuh"

extern "C" __global__ void heat_plain_cuda(const float* from, float* to, float rate, int nx, int ny,
                                           int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const auto at = [=](int i, int j, int k) {
    return from[(static_cast<size_t>(clamped(k, nz)) * ny + clamped(j, ny)) * nx + clamped(i, nx)];
  };
  const float here = at(x, y, z);
  const float sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                    at(x, y, z - 1) + at(x, y, z + 1);
  to[(static_cast<size_t>(z) * ny + y) * nx + x] = here + rate * (sum - 6 * here);
}
