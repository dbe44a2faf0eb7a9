// SPDX-License-Identifier: Apache-2.0
// gram and rotate on emulated threads against plain sums.
#include <gtest/gtest.h>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/basis/gram_mma.cuh"
#include "kernels/cuda/basis/rotate.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

// More rows than a turn of the kernels' loops takes, and not a multiple of it.
std::vector<int> lengths() {
  std::vector<int> lengths;
  for (int row = 0; row < 75; ++row) lengths.push_back(row * 7 % 40);
  return lengths;
}

template <int kRank, bool kMma>
void check_gram(int slices) {
  constexpr BasisLayout kLayout{kRank};
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, lengths(), 60);
    std::vector<float> gram(kRank * kRank, std::nanf(""));
    std::vector<float4> workspace(static_cast<size_t>(kLayout.pairs()) * slices *
                                  BasisLayout::kPairElements / 4);
    const UpdateParams update = problem.params(0, 0);
    const GramParams p{update.ratings, update.solution, gram.data(), workspace.data(), slices};
    const auto blocks = static_cast<unsigned>(kLayout.pairs() * slices);
    if (kMma)
      emulation::launch(blocks, BasisLayout::kMmaThreads, reversed,
                        [&] { gram_mma_tiles<kRank>(p); });
    else
      emulation::launch(blocks, BasisLayout::kThreads, reversed, [&] { gram_tiles<kRank>(p); });
    const unsigned sum_blocks =
        kLayout.pairs() * (BasisLayout::kPairElements / BasisLayout::kSumThreads);
    emulation::launch(sum_blocks, BasisLayout::kSumThreads, reversed, [&] { gram_sum<kRank>(p); });
    for (int i = 0; i < kRank; ++i)
      for (int j = 0; j < kRank; ++j) {
        double expected = 0;
        for (int row = 0; row < problem.rows; ++row) {
          const float* y = problem.solution.data() + row * problem.pitch;
          expected += static_cast<double>(problem.length(row)) * y[i] * y[j];
        }
        ASSERT_NEAR(gram[i * kRank + j], expected, 1e-5 * expected) << i << ", " << j;
      }
    if (forward.empty()) forward = gram;
    EXPECT_EQ(forward, gram) << "the order of the threads shows: a barrier is missing";
  }
}

TEST(Gram, IsTheWeightedSumOfOuterProducts) {
  check_gram<1, false>(1);
  check_gram<10, false>(3);
  check_gram<67, false>(2);
}

TEST(Gram, OnTensorCoresIsAsExact) {
  check_gram<1, true>(1);
  check_gram<10, true>(3);
  check_gram<67, true>(2);
}

template <int kRank>
void check_rotate() {
  std::vector<float> forward;
  for (const bool reversed : {false, true}) {
    Problem problem(kRank, lengths(), 60);
    std::vector<float> basis(kRank * kRank), target(problem.solution.size(), std::nanf(""));
    for (size_t i = 0; i < basis.size(); ++i) basis[i] = static_cast<float>(i % 23) - 11;
    const FactorsView source = problem.params(0, 0).solution;
    FactorsView rotated = source;
    rotated.data = target.data();
    const RotateParams p{source, rotated, basis.data()};
    const unsigned blocks =
        (problem.rows + BasisLayout::kTile - 1) / BasisLayout::kTile * BasisLayout{kRank}.tiles();
    emulation::launch(blocks, BasisLayout::kThreads, reversed, [&] { rotate_tiles<kRank>(p); });
    for (int row = 0; row < problem.rows; ++row)
      for (int j = 0; j < problem.pitch; ++j) {
        double expected = 0, magnitude = 0;
        for (int k = 0; k < kRank && j < kRank; ++k) {
          const double term = problem.solution[row * problem.pitch + k] * basis[k * kRank + j];
          expected += term, magnitude += std::abs(term);
        }
        ASSERT_NEAR(target[row * problem.pitch + j], expected, 1e-6 * magnitude)
            << row << ", " << j;
      }
    if (forward.empty()) forward = target;
    EXPECT_EQ(forward, target) << "the order of the threads shows: a barrier is missing";
  }
}

TEST(Rotate, IsTheProductWithTheBasis) {
  check_rotate<1>();
  check_rotate<10>();
  check_rotate<64>();
  check_rotate<67>();
  check_rotate<100>();
}

}  // namespace
}  // namespace alsbench
