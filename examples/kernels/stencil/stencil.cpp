// SPDX-License-Identifier: Apache-2.0
// to = from + rate (sum of the six neighbours - 6 from); points outside the cube are those of its
// surface.
#include <algorithm>
#include <cstddef>

void heat_plain(const float* from, float* to, float rate, int nx, int ny, int nz) {
  const auto at = [=](int x, int y, int z) {
    x = std::clamp(x, 0, nx - 1);
    y = std::clamp(y, 0, ny - 1);
    z = std::clamp(z, 0, nz - 1);
    return from[(size_t(z) * ny + y) * nx + x];
  };
#pragma omp parallel for
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const float here = at(x, y, z);
        const float sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                          at(x, y, z - 1) + at(x, y, z + 1);
        to[(size_t(z) * ny + y) * nx + x] = here + rate * (sum - 6 * here);
      }
}
