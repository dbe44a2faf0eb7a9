// SPDX-License-Identifier: Apache-2.0
// KernelPlan: how a CUDA configuration runs: which template instances of which sources, launched
// how.
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace alsbench {

struct KernelLaunch {
  std::string source;  // path from the repository's root, e.g. "kernels/cuda/hermitian/tiled.cuh"
  // NVRTC name expression, e.g. "alsbench::tiled_hermitian<100, 10, 32>". Options of the compiler
  // may follow: "gemm -DTILE=16".
  std::string instance;
  int64_t grid = 1;          // blocks along x
  int block = 1;             // threads along x
  int64_t shared_bytes = 0;  // dynamic shared memory
  int clear_workspace_bytes =
      0;  // leading bytes of the workspace set to zero before this launch (queues, counters)
  std::array<int, 2> grid_yz{1, 1};  // blocks along y and z
  std::array<int, 2> block_yz{1, 1};

  int64_t blocks() const { return grid * grid_yz[0] * grid_yz[1]; }
  int threads() const { return block * block_yz[0] * block_yz[1]; }
};

// The launches run in order on one stream; each takes the stage's params struct by value.
struct KernelPlan {
  std::vector<KernelLaunch> launches;
  int64_t workspace_bytes = 0;
  std::any arguments = {};  // a struct of kernels/shared that the stage adds to its parameters
};

}  // namespace alsbench
