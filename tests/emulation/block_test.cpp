// SPDX-License-Identifier: Apache-2.0
// hermitian/split and the Cholesky solvers on emulated blocks against the reference.
#include "tests/emulation/block.h"

#include <gtest/gtest.h>
// after block.h
#include "kernels/cuda/hermitian/split.cuh"
#include "kernels/cuda/rows/plan.cuh"
#include "kernels/cuda/solve/packed_cholesky.cuh"
#include "kernels/cuda/solve/register_cholesky.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

double matrix_error(const float* matrix, const reference::Vector& expected, int rank) {
  double worst = 0;
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j < rank; ++j) {
      const double scale = std::sqrt(expected[i * rank + i] * expected[j * rank + j]);
      const double error = std::abs(matrix[i * rank + j] - expected[i * rank + j]) / scale;
      if (!(error <= worst)) worst = error;
    }
  return worst;
}

template <int kRank, int kTile, int kThreads, int kBuffers, int kChunk>
void check_split(bool reversed) {
  constexpr int kBin = 16;
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, true, 4, kBuffers};
  Problem problem(kRank, {0, 5, 16, 150, 0, 33, 1, 100, 64}, 160);
  const PieceWorkspace workspace{problem.offsets.back(), kChunk,
                                 int64_t{4} * kLayout.tiles() * kTile * kTile};
  UpdateParams p = problem.params(workspace.bytes(), sizeof(RowCounters));
  p.plan.pieces = workspace.layout(false);
  std::vector<float> matrices(static_cast<size_t>(problem.rows) * kRank * kRank, std::nanf(""));
  p.matrices = matrices.data();
  const auto launch = [&](int64_t blocks, int threads, auto kernel) {
    emulation::launch(static_cast<unsigned>(blocks), threads, reversed, [&] { kernel(p); });
  };
  launch(2, 32, plan_rows<32>);
  launch(
      (problem.rows + workspace.max_items()) * kLayout.passes(), kThreads,
      split_hermitian<kRank, kTile, kBin, kThreads, kBuffers, Gather::strided, true, float, float>);
  launch(workspace.max_split_rows() * kLayout.passes(), kThreads,
         split_sum<kRank, kTile, kBin, kThreads, kBuffers, float>);
  for (int row = 0; row < problem.rows; ++row)
    EXPECT_LT(matrix_error(matrices.data() + row * kRank * kRank, problem.matrix(p, row), kRank),
              1e-5)
        << "rank " << kRank << ", row " << row << " of " << problem.length(row) << " ratings";
}

TEST(SplitHermitian, SumsThePiecesOfLongRows) {
  for (const bool reversed : {false, true}) {
    check_split<33, 8, 64, 2, 32>(reversed);     // one pass, groups that share a bin
    check_split<40, 5, 32, 1, 48>(reversed);     // several passes
    check_split<10, 10, 96, 2, 1024>(reversed);  // nothing is cut
  }
}

// `solve` launches a solver of so many systems.
template <int kRank>
void check_cholesky(const std::function<void(const UpdateParams&, int64_t)>& solve) {
  Problem problem(kRank, {0, 3, 60, 150}, 160);
  UpdateParams p = problem.params(0, 0);
  std::vector<float> matrices, bias;
  for (int row = 0; row < problem.rows; ++row) {
    for (const double value : problem.matrix(p, row)) matrices.push_back(static_cast<float>(value));
    for (const double value : problem.bias(p, row)) bias.push_back(static_cast<float>(value));
    bias.resize(static_cast<size_t>(row + 1) * problem.pitch, 0.0f);
  }
  matrices[matrices.size() - 1] = -1;  // the last row's last pivot
  p.matrices = matrices.data();
  p.bias = bias.data();
  solve(p, problem.rows);
  for (int row = 0; row + 1 < problem.rows; ++row) {
    EXPECT_EQ(problem.status[row], 0);
    EXPECT_LT(
        problem.solution_error(row, reference::solve(problem.matrix(p, row), problem.bias(p, row))),
        1e-4)
        << "rank " << kRank << ", row " << row;
  }
  EXPECT_EQ(problem.status.back(), kRank) << "the pivot that is not positive";
}

template <int kRank>
void check_packed(bool reversed) {
  check_cholesky<kRank>([&](const UpdateParams& p, int64_t systems) {
    constexpr int kWarps = PackedLayout{kRank}.warps();
    emulation::launch(static_cast<unsigned>((systems + kWarps - 1) / kWarps), 32 * kWarps, reversed,
                      [&] { packed_cholesky_solve<kRank, float>(p); });
  });
}

TEST(PackedCholesky, SolvesAndNamesABadPivot) {
  for (const bool reversed : {false, true}) {
    check_packed<1>(reversed);
    check_packed<8>(reversed);
    check_packed<9>(reversed);
    check_packed<33>(reversed);
    check_packed<70>(reversed);
    check_packed<100>(reversed);
    check_packed<127>(reversed);
    check_packed<130>(reversed);  // more rows than lanes hold at a time, and a warp a block
  }
}

template <int kRank>
void check_registers(bool reversed) {
  check_cholesky<kRank>([&](const UpdateParams& p, int64_t systems) {
    constexpr int kWarps = RegisterLayout::kWarps;
    emulation::launch(static_cast<unsigned>((systems + kWarps - 1) / kWarps), 32 * kWarps, reversed,
                      [&] { register_cholesky_solve<kRank, float>(p); });
  });
}

TEST(RegisterCholesky, SolvesAndNamesABadPivot) {
  for (const bool reversed : {false, true}) {
    check_registers<1>(reversed);
    check_registers<8>(reversed);   // b begins a row block
    check_registers<33>(reversed);  // the last panel has one column
    check_registers<70>(reversed);
    check_registers<100>(reversed);
  }
}

}  // namespace
}  // namespace alsbench
