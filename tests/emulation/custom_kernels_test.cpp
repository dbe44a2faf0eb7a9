// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels of examples/kernels on emulated threads against those of the CPU beside them.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "examples/kernels/batched_cholesky/cholesky.cpp"
#include "examples/kernels/gemm/plain.cpp"
#include "examples/kernels/stencil/stencil.cpp"

namespace emulation {

// Threads of a block along x; the others are along y.
inline unsigned width = 32;
struct PlaneIndex {
  struct X {
    operator unsigned() const { return static_cast<unsigned>(thread()) % width; }
  } x;
  struct Y {
    operator unsigned() const { return static_cast<unsigned>(thread()) / width; }
  } y;
};

}  // namespace emulation

inline float __ldg(const float* p) { return *p; }
using std::min;
inline emulation::PlaneIndex planeIdx;
thread_local float tile[1 << 12];  // dynamic shared memory

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"  // sizes that a kernel does without
#define threadIdx planeIdx
#define TILE 32
#define DEPTH 8
#define EACH 4
#include "examples/kernels/gemm/gemm.cu"
#include "examples/kernels/gemm/plain.cu"
#define BLOCK_X 32
#define BLOCK_Y 2
#define PLANES 4
#define READ_ONLY 1
#include "examples/kernels/batched_cholesky/cholesky.cu"
#include "examples/kernels/batched_cholesky/plain.cu"
#include "examples/kernels/stencil/plain.cu"
#include "examples/kernels/stencil/stencil.cu"
#pragma GCC diagnostic pop

namespace {

std::vector<float> random_numbers(size_t count) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(generator);
  return numbers;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-4) << i;
}

// A grid of up to three dimensions, of blocks of two.
void launch(Index3 grid, unsigned block_x, unsigned block_y, const std::function<void()>& kernel) {
  emulation::width = block_x;
  blockDim = {block_x, block_y, 1};
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
      emulation::launch(grid.x, static_cast<int>(block_x * block_y), blockIdx.y % 2 == 1, kernel);
}

TEST(CustomGemm, IsThatOfTheCpu) {
  constexpr int kM = 45, kN = 70, kK = 19;  // no multiples of a tile
  const std::vector<float> a = random_numbers(kM * kK), b = random_numbers(kK * kN);
  std::vector<float> expected(kM * kN), found(kM * kN, std::nanf(""));
  gemm_plain(a.data(), b.data(), expected.data(), kM, kN, kK);
  launch({3, 2, 1}, TILE / EACH, TILE / EACH,
         [&] { gemm_tiled(a.data(), b.data(), found.data(), kM, kN, kK); });
  expect_near(found, expected);
  launch({3, kM, 1}, 32, 1, [&] { gemm_plain_cuda(a.data(), b.data(), found.data(), kM, kN, kK); });
  expect_near(found, expected);
}

TEST(CustomCholesky, IsThatOfTheCpu) {
  constexpr int kBatch = 3, kN = 21;
  std::vector<float> matrices = random_numbers(kBatch * kN * kN);
  for (int b = 0; b < kBatch; ++b)
    for (int i = 0; i < kN; ++i) {
      float* matrix = matrices.data() + b * kN * kN;
      matrix[i * kN + i] = kN;
      for (int j = 0; j < i; ++j) matrix[j * kN + i] = matrix[i * kN + j];
    }
  std::vector<float> expected = matrices, found = matrices;
  cholesky<double>(expected.data(), kBatch, kN);
  launch({kBatch, 1, 1}, 64, 1, [&] { cholesky_shared<64, 1>(matrices.data(), kBatch, kN); });
  expect_near(matrices, expected);
  launch({1, 1, 1}, 32, 1, [&] { cholesky_plain_cuda(found.data(), kBatch, kN); });
  expect_near(found, expected);
}

TEST(CustomStencil, IsThatOfTheCpu) {
  constexpr int kX = 40, kY = 5, kZ = 7;
  const std::vector<float> from = random_numbers(kX * kY * kZ);
  std::vector<float> expected(from.size()), found(from.size(), std::nanf(""));
  heat_plain(from.data(), expected.data(), 0.1f, kX, kY, kZ);
  launch({2, 3, 2}, BLOCK_X, BLOCK_Y,
         [&] { heat_planes(from.data(), found.data(), 0.1f, kX, kY, kZ); });
  expect_near(found, expected);
  launch({2, kY, kZ}, 32, 1, [&] { heat_plain_cuda(from.data(), found.data(), 0.1f, kX, kY, kZ); });
  expect_near(found, expected);
}

}  // namespace
