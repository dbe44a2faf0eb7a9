// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/suggestion.h"

namespace alsbench {
namespace {

// The points of a list that are not measured yet, in turns that compile ahead.
class InOrder : public Strategy {
 public:
  InOrder(std::vector<size_t> order, bool again) : order_(std::move(order)), again_(again) {}

  ProposalBatch next(const History& history) override {
    ProposalBatch batch;
    while (position_ < order_.size() && batch.measure.size() < kBatchSize) {
      const size_t point = order_[position_++];
      if (again_ || !history.measured(point)) batch.measure.push_back(point);
    }
    for (size_t i = position_; i < std::min(order_.size(), position_ + kAhead); ++i)
      batch.likely_next.push_back(order_[i]);
    return batch;
  }

 private:
  static constexpr size_t kBatchSize = 8, kAhead = 64;
  std::vector<size_t> order_;
  bool again_;  // measure points that are known already once more
  size_t position_ = 0;
};

struct Entry {
  std::string name;
  std::unique_ptr<Strategy> (*make)(const SearchSpace&, const StrategyOptions&);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list{
      {"guided", make_guided}, {"exhaustive", make_exhaustive}, {"random", make_random}};
  return list;
}

}  // namespace

std::vector<size_t> shuffled_points(const SearchSpace& space, std::mt19937_64& random) {
  std::vector<size_t> order(space.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

std::vector<size_t> neighbours(const SearchSpace& space, size_t point) {
  const std::vector<int32_t>& here = space[point].coordinates;
  // The nearest point found for each other value of each dimension, and its distance.
  std::map<std::pair<size_t, int32_t>, std::pair<size_t, size_t>> nearest;
  for (size_t other = 0; other < space.size(); ++other) {
    const std::vector<int32_t>& there = space[other].coordinates;
    size_t distance = 0;
    for (size_t d = 0; d < here.size(); ++d) distance += here[d] != there[d] ? 1 : 0;
    for (size_t d = 0; d < here.size(); ++d) {
      if (here[d] == there[d] || there[d] < 0) continue;
      const auto [entry, added] = nearest.try_emplace({d, there[d]}, std::pair(distance, other));
      if (distance < entry->second.first) entry->second = {distance, other};
    }
  }
  std::vector<size_t> list;
  for (const auto& [key, found] : nearest)
    if (std::ranges::find(list, found.second) == list.end()) list.push_back(found.second);
  return list;
}

std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space,
                                          const StrategyOptions& options) {
  std::mt19937_64 random(options.seed);
  std::vector<size_t> order;
  for (int64_t pass = 0; pass < options.passes; ++pass) {
    const std::vector<size_t> points = shuffled_points(space, random);
    order.insert(order.end(), points.begin(), points.end());
  }
  return std::make_unique<InOrder>(std::move(order), options.passes > 1);
}

std::unique_ptr<Strategy> make_random(const SearchSpace& space, const StrategyOptions& options) {
  std::mt19937_64 random(options.seed);
  return std::make_unique<InOrder>(shuffled_points(space, random), false);
}

void History::set(size_t point, double seconds) {
  if (!measured(point)) order_.push_back(point);
  seconds_[point] = seconds;
}

size_t History::best() const {
  size_t best = seconds_.size();
  double minimum = std::numeric_limits<double>::infinity();
  for (const size_t point : order_)
    if (seconds_[point] < minimum) {
      minimum = seconds_[point];
      best = point;
    }
  return best;
}

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Entry& entry : entries()) list.push_back(entry.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const SearchSpace& space,
                                        const StrategyOptions& options) {
  for (const Entry& entry : entries())
    if (entry.name == name) return entry.make(space, options);
  if (name == kNeighbourhoodSearch) return make_neighbourhood_search(space);
  throw UsageError(unknown_name("strategy", name, strategy_names()));
}

}  // namespace alsbench
