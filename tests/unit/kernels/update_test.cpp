// SPDX-License-Identifier: Apache-2.0
// The CPU's updates: the bits of a solution depend neither on the number of threads nor on how much
// of a row is gathered at a time. That they are right is the contract tests' part.
#include "kernels/cpu/update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace alsbench {
namespace {

constexpr int32_t kRank = 33, kPitch = 40, kCols = 150;
constexpr int kLongest = 101;  // its last group of add_products is not full

class UpdateTest : public ::testing::Test {
 protected:
  UpdateTest() : factors_(kCols * kPitch) {
    std::mt19937 generator(1);
    for (const int length : {3, 0, 40, 1, kLongest, 0, 17, 8, 5}) {
      for (int k = 0; k < length; ++k) {
        indices_.push_back(static_cast<int32_t>(generator() % kCols));
        values_.push_back(static_cast<float>(generator() % 9 + 1) * 0.5f);
      }
      offsets_.push_back(static_cast<int64_t>(indices_.size()));
    }
    for (int64_t i = 0; i < kCols; ++i)
      for (int64_t j = 0; j < kRank; ++j)
        factors_[i * kPitch + j] = static_cast<float>(generator() % 1000) * 1e-3f;
  }

  // The solutions of all rows but the first, from a warm start. update(params, options, resources).
  template <class Update>
  std::vector<float> solutions(int threads, const Update& update) {
    const int64_t rows = static_cast<int64_t>(offsets_.size()) - 1;
    std::vector<float> solution(rows * kPitch, 0.125f);
    UpdateParams params;
    params.ratings.offsets = offsets_.data();
    params.ratings.indices = indices_.data();
    params.ratings.values = values_.data();
    params.ratings.rows = rows;
    params.ratings.cols = kCols;
    params.ratings.nnz = static_cast<int64_t>(indices_.size());
    params.factors = {factors_.data(), kCols, kRank, kPitch};
    params.solution = {solution.data(), rows, kRank, kPitch};
    params.lambda = 0.05f;
    params.first_row = 1;
    params.row_count = rows - 1;
    CgOptions options;
    options.tolerance = 1e-6f;
    std::map<int, std::vector<float>> memory;
    const auto scratch = [&](int slot, int64_t bytes) -> void* {
      memory[slot].resize(bytes / sizeof(float));
      return memory[slot].data();
    };
    update(params, options, CpuResources{threads, scratch});
    return solution;
  }

  std::vector<float> matrix_free(int threads, const GatherLimits& limits = {}) {
    return solutions(threads, [&](const auto& params, const auto& options, const auto& resources) {
      update_matrix_free(params, false, options, resources, limits);
    });
  }
  std::vector<float> blocked(int threads) {
    return solutions(threads, [&](const auto& params, const auto& options, const auto& resources) {
      update_blocked(params, false, options, resources);
    });
  }
  std::vector<float> cholesky(int threads) {
    return solutions(threads, [](const auto& params, const auto&, const auto& resources) {
      update_cholesky(params, false, resources);
    });
  }

 private:
  std::vector<int64_t> offsets_{0};
  std::vector<int32_t> indices_;
  std::vector<float> values_, factors_;
};

TEST_F(UpdateTest, ThreadsDoNotChangeTheBits) {
  EXPECT_EQ(matrix_free(1), matrix_free(3));
  EXPECT_EQ(blocked(1), blocked(3));
  EXPECT_EQ(cholesky(1), cholesky(3));
}

TEST_F(UpdateTest, CholeskySaysWhichRowsAreNotPositiveDefinite) {
  std::vector<int32_t> status(8, -1);
  const std::vector<float> solution =
      solutions(1, [&](UpdateParams params, const auto&, const auto& resources) {
        params.lambda = -100;
        params.status = status.data();
        update_cholesky(params, false, resources);
      });
  EXPECT_EQ(status, (std::vector<int32_t>{0, 1, 1, 1, 0, 1, 1, 1}));  // rows without ratings pass
  EXPECT_EQ(solution[1 * kPitch], 0.0f);
  EXPECT_TRUE(std::isnan(solution[2 * kPitch]));
}

TEST_F(UpdateTest, PartsOfARowGiveTheBitsOfTheWhole) {
  const std::vector<float> whole = matrix_free(2);
  const auto bytes_of = [](int64_t rows) { return rows * gathered_pitch(kRank) * 4; };
  for (const int64_t once : {1, 5, 50})
    for (const int64_t part : {1, 20})
      EXPECT_EQ(matrix_free(2, {.whole = bytes_of(once), .part = bytes_of(part)}), whole)
          << once << " " << part;
}

TEST_F(UpdateTest, ARowOfNRatingsTakesNPlusOneStepsAtMost) {
  std::vector<int32_t> steps(8, -1);
  solutions(1, [&](UpdateParams params, CgOptions options, const auto& resources) {
    params.steps = steps.data();
    options.steps = 6;
    options.tolerance = 0;
    update_matrix_free(params, false, options, resources);
  });
  EXPECT_EQ(steps, (std::vector<int32_t>{0, 6, 2, 6, 0, 6, 6, 6}));
}

TEST(ParallelRowsByLength, EveryRowIsTakenOnce) {
  const std::vector<std::vector<int64_t>> offsets{
      {7}, {7, 7}, {0, 0, 0, 0}, {0, 1000, 1001, 1002}, {5, 6, 7, 5000, 5000, 5001}};
  for (const auto& row_offsets : offsets)
    for (const int threads : {1, 4}) {
      const int64_t rows = static_cast<int64_t>(row_offsets.size()) - 1;
      std::vector<int> taken(rows);
      parallel_rows_by_length(row_offsets.data(), rows, threads, [&](int64_t row, int thread) {
        EXPECT_LT(thread, threads);
        ++taken[row];
      });
      EXPECT_EQ(taken, std::vector<int>(rows, 1));
    }
}

TEST(ParallelRowsByLength, ALongRowGoesBeforeShortOnes) {
  std::vector<int64_t> offsets{0};
  for (int row = 0; row < 1000; ++row) offsets.push_back(offsets.back() + 10);
  offsets.push_back(offsets.back() + 5000);
  std::vector<int64_t> order;
  parallel_rows_by_length(offsets.data(), 1001, 1, [&](int64_t row, int) { order.push_back(row); });
  const auto at = std::find(order.begin(), order.end(), 1000) - order.begin();
  EXPECT_LT(at, 30);  // the rest of its piece may come first
}

}  // namespace
}  // namespace alsbench
