// SPDX-License-Identifier: Apache-2.0
// top_k on emulated threads against a sort of scores in double. Factors are small integers, so
// scores are exact and many are equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/recommend/top_k.cuh"

namespace alsbench {
namespace {

constexpr int kCapacity = 256;

struct Problem {
  int64_t users, items;
  int rank, pitch;
  std::vector<float> x, theta;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> seen;

  // `maximum`: of the magnitude of elements; user u has seen u items, at most all.
  Problem(int64_t user_count, int64_t item_count, int factors, int maximum)
      : users(user_count), items(item_count), rank(factors), pitch(factor_pitch(factors)) {
    std::mt19937 generator(1);
    std::uniform_int_distribution<int> element(-maximum, maximum);
    for (auto [side, rows] : {std::pair(&x, users), std::pair(&theta, items)}) {
      side->assign(static_cast<size_t>(rows * pitch), 0.0f);
      for (int64_t row = 0; row < rows; ++row)
        for (int i = 0; i < rank; ++i)
          (*side)[row * pitch + i] = static_cast<float>(element(generator));
    }
    std::vector<int32_t> all(static_cast<size_t>(items));
    std::iota(all.begin(), all.end(), 0);
    for (int64_t user = 0; user < users; ++user) {
      std::sample(all.begin(), all.end(), std::back_inserter(seen), std::min(items, 5 * user),
                  generator);
      offsets.push_back(static_cast<int64_t>(seen.size()));
    }
  }

  double score(int64_t user, int64_t item) const {
    double sum = 0;
    for (int i = 0; i < rank; ++i) sum += double{x[user * pitch + i]} * theta[item * pitch + i];
    return sum;
  }
  std::vector<int32_t> best(int64_t user, int k) const {
    const auto begin = seen.begin() + offsets[user], end = seen.begin() + offsets[user + 1];
    std::vector<int32_t> order;
    for (int32_t item = 0; item < items; ++item)
      if (!std::binary_search(begin, end, item)) order.push_back(item);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return score(user, a) > score(user, b); });
    order.resize(static_cast<size_t>(k), -1);
    return order;
  }
};

template <int kRank, int kRows, int kItems>
void check_top_k(Problem& problem, int k, unsigned blocks, bool reversed) {
  constexpr TopKLayout kLayout{kRank, kRows, kItems, kCapacity};
  const auto count = static_cast<size_t>(problem.users * k);
  std::vector<int32_t> items(count, -7);
  std::vector<float> scores(count, -7);
  std::vector<uint64_t> workspace(blocks * kLayout.block_candidates(), ~uint64_t{0});
  TopKParams p;
  p.seen.offsets = problem.offsets.data();
  p.seen.indices = problem.seen.data();
  p.x = {problem.x.data(), problem.users, kRank, problem.pitch};
  p.theta = {problem.theta.data(), problem.items, kRank, problem.pitch};
  p.k = k;
  p.items = items.data();
  p.scores = scores.data();
  p.workspace = workspace.data();
  emulation::launch(blocks, TopKLayout::kThreads, reversed,
                    [&] { top_k<kRank, kRows, kItems, kCapacity, 1>(p); });
  for (int64_t user = 0; user < problem.users; ++user) {
    const std::vector<int32_t> expected = problem.best(user, k);
    for (int place = 0; place < k; ++place) {
      const size_t at = static_cast<size_t>(user * k + place);
      ASSERT_EQ(items[at], expected[place]) << "user " << user << ", place " << place;
      ASSERT_EQ(scores[at], expected[place] < 0
                                ? -std::numeric_limits<float>::infinity()
                                : static_cast<float>(problem.score(user, expected[place])));
    }
  }
}

TEST(TopK, FindsTheBestOfManyTiles) {
  Problem problem(70, 1100, 10, 9);
  check_top_k<10, 64, 64>(problem, 100, 1, false);
  check_top_k<10, 64, 128>(problem, 128, 2, true);
}

TEST(TopK, KeepsTheOrderOfItemsWhereScoresAreEqual) {
  Problem problem(20, 900, 3, 1);
  check_top_k<3, 64, 64>(problem, 30, 1, true);
}

TEST(TopK, SaysWhereNothingIsLeft) {
  Problem problem(140, 90, 33, 5);
  check_top_k<33, 128, 128>(problem, 7, 1, false);
  check_top_k<33, 128, 64>(problem, 120, 2, false);
}

// Parts of 11 bits make nearly a float.
TEST(TopK, ScoresAreNearlyThoseOfFloats) {
  constexpr int kRank = 20;
  Problem problem(64, 64, kRank, 1);
  std::mt19937 generator(2);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (auto* side : {&problem.x, &problem.theta})
    for (size_t i = 0; i < side->size(); ++i)
      if (i % problem.pitch < kRank) (*side)[i] = uniform(generator);
  std::vector<int32_t> items(64 * 64);
  std::vector<float> scores(items.size());
  std::vector<uint64_t> workspace(TopKLayout{kRank, 64, 64, kCapacity}.block_candidates());
  std::vector<int64_t> nothing(65);
  TopKParams p;
  p.seen.offsets = nothing.data();
  p.x = {problem.x.data(), 64, kRank, problem.pitch};
  p.theta = {problem.theta.data(), 64, kRank, problem.pitch};
  p.k = 64;
  p.items = items.data();
  p.scores = scores.data();
  p.workspace = workspace.data();
  emulation::launch(1, TopKLayout::kThreads, false, [&] { top_k<kRank, 64, 64, kCapacity, 1>(p); });
  for (size_t i = 0; i < items.size(); ++i)
    ASSERT_NEAR(scores[i], problem.score(i / 64, items[i]), kRank * 0x1p-20);
}

}  // namespace
}  // namespace alsbench
