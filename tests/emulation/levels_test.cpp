// SPDX-License-Identifier: Apache-2.0
// centre and level_columns on emulated threads against the CPU's.
#include <gtest/gtest.h>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cpu/levels.h"
#include "kernels/cuda/levels/centre.cuh"
#include "kernels/cuda/levels/columns.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

constexpr int kThreads = 64;
const CpuResources kOne{1, {}};

std::vector<float> counted_levels(int64_t rows) {
  std::vector<float> levels(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) levels[row] = static_cast<float>(row % 7) - 2;
  return levels;
}

TEST(CentreStage, TakesOffWhatTheCpuTakesOff) {
  emulated::Problem problem(4, {0, 1, 2, 90, 3, 40, 77}, 90);
  const std::vector<float> levels = counted_levels(problem.cols);
  std::vector<float> expected(problem.values.size(), std::nanf("")), found = expected;
  CentreParams p{problem.params(0, 0).ratings, levels.data(), 1.5f, expected.data()};
  centre_ratings(p, kOne);
  p.values = found.data();
  emulation::launch(2, kThreads, false, [&] { centre_ratings<kThreads>(p); });
  EXPECT_EQ(found, expected);
}

TEST(LevelColumnsStage, SetsWhatTheCpuSets) {
  for (const int32_t takes : {0, 1}) {
    emulated::Problem problem(5, std::vector<int>{3, 0, 1, 4}, 20);
    std::vector<float> levels = counted_levels(problem.rows), expected_levels = levels;
    std::vector<float> expected = problem.solution;
    const UpdateParams update = problem.params(0, 0);
    LevelColumnsParams p{
        update.solution, update.ratings.offsets, levels.data(), 4, 3, takes, 2.5f, 0.5f, 1.5f, 1};
    emulation::launch(1, kThreads, true, [&] { set_level_columns<kThreads>(p); });
    p.factors.data = expected.data();
    p.levels = expected_levels.data();
    set_level_columns(p, kOne);
    EXPECT_EQ(problem.solution, expected);
    EXPECT_EQ(levels, expected_levels);
    EXPECT_NE(expected, problem.start);
  }
}

}  // namespace
}  // namespace alsbench
