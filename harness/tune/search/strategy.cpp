// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/strategy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/tune/search/strategies.h"

namespace alsbench {
namespace {

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
