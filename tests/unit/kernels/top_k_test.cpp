// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace alsbench {
namespace {

constexpr int32_t kManyItems = 40000, kFactors = 8, kWanted = 7;

// Small integers, so scores are exact and many are equal.
std::vector<float> small_numbers(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 5) - 2);
  return values;
}

struct BestFound {
  std::vector<int32_t> items;
  std::vector<float> scores;
};

BestFound found_by(int threads, int64_t rows, std::vector<float>& x, std::vector<float>& theta,
                   std::vector<int32_t>& seen) {
  std::vector<int64_t> offsets(static_cast<size_t>(rows + 1));
  const auto each = static_cast<int64_t>(seen.size()) / rows;
  for (int64_t row = 0; row <= rows; ++row) offsets[static_cast<size_t>(row)] = row * each;
  BestFound found{std::vector<int32_t>(static_cast<size_t>(rows * kWanted)),
                  std::vector<float>(static_cast<size_t>(rows * kWanted))};
  TopKParams params;
  params.seen.offsets = offsets.data();
  params.seen.indices = seen.data();
  params.seen.rows = rows;
  params.seen.cols = kManyItems;
  params.x = {x.data(), rows, kFactors, kFactors};
  params.theta = {theta.data(), kManyItems, kFactors, kFactors};
  params.k = kWanted;
  params.items = found.items.data();
  params.scores = found.scores.data();
  std::map<int, std::vector<char>> memory;
  const CpuResources resources{threads, [&](int slot, int64_t bytes) {
                                 memory[slot].resize(static_cast<size_t>(bytes));
                                 return static_cast<void*>(memory[slot].data());
                               }};
  top_k_blocked(params, {}, resources);
  return found;
}

// The best of a row, one of `each` seen items after the other left out.
std::vector<int32_t> best_of(const float* x, const std::vector<float>& theta,
                             const std::vector<int32_t>& seen) {
  std::vector<float> scores(kManyItems);
  for (size_t item = 0; item < kManyItems; ++item)
    scores[item] = std::inner_product(x, x + kFactors, theta.data() + item * kFactors, 0.0f);
  std::vector<int32_t> order(kManyItems);
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(
      order, [&](int32_t item) { return std::find(seen.begin(), seen.end(), item) != seen.end(); });
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  order.resize(kWanted);
  return order;
}

// Few rows have their items searched by several threads.
TEST(TopKBlocked, FindsTheSameWhateverTheNumberOfThreads) {
  for (const int64_t rows : {1, 3, 65}) {
    std::vector<float> x = small_numbers(rows * kFactors, 1),
                       theta = small_numbers(kManyItems * kFactors, 2);
    std::vector<int32_t> first = best_of(x.data(), theta, {});
    std::sort(first.begin(), first.end());
    std::vector<int32_t> seen;
    for (int64_t row = 0; row < rows; ++row) seen.insert(seen.end(), first.begin(), first.end());
    const BestFound alone = found_by(1, rows, x, theta, seen);
    for (int64_t row = 0; row < rows; ++row)
      EXPECT_EQ(std::vector(alone.items.begin() + row * kWanted,
                            alone.items.begin() + (row + 1) * kWanted),
                best_of(x.data() + row * kFactors, theta, first))
          << rows << " rows, row " << row;
    for (const int threads : {2, 5, 16}) {
      const BestFound together = found_by(threads, rows, x, theta, seen);
      EXPECT_EQ(together.items, alone.items) << rows << " rows, " << threads << " threads";
      EXPECT_EQ(together.scores, alone.scores) << rows << " rows, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace alsbench
