// SPDX-License-Identifier: Apache-2.0
// The strategy of refinements. It starts from what is measured already. In turn it measures the
// neighbours of the fastest point, and of the point with the fewest non-default settings that is
// about as fast as the best. It ends when the neighbours of both are measured. The choice then does
// not depend on where an earlier search stopped, and nothing is left to chance.
#include <algorithm>
#include <set>

#include "harness/tune/search/strategy.h"

namespace alsbench {
namespace {

constexpr double kSteepest =
    0.05;  // over the best: how slow a point may be for its neighbours to be tried

class NeighbourhoodSearch : public Strategy {
 public:
  explicit NeighbourhoodSearch(const SearchSpace& space) : space_(space) {}

  ProposalBatch next(const History& history) override {
    for (;;) {
      const size_t point = unexpanded(history);
      if (point == space_.size()) return {};
      expanded_.insert(point);
      ProposalBatch batch;
      for (const size_t near : neighbours(space_, point))
        if (!history.measured(near)) batch.measure.push_back(near);
      if (batch.measure.empty()) continue;
      // A better one among these is expanded next.
      for (const size_t proposed : batch.measure)
        for (const size_t near : neighbours(space_, proposed))
          if (!history.measured(near)) batch.likely_next.push_back(near);
      return batch;
    }
  }

 private:
  // One of the points whose neighbours are not measured yet. In turn it is the fastest, if it is
  // near the best, and the one with the fewest non-default settings that is about as fast as the
  // best. The space's size where there is none.
  size_t unexpanded(const History& history) {
    const size_t best = history.best();
    if (best == space_.size()) return best;
    size_t fastest = space_.size(), simplest = space_.size();
    for (const size_t point : history.order()) {
      if (expanded_.contains(point)) continue;
      const double seconds = history.seconds(point) / history.seconds(best);
      if (seconds <= 1 + kSteepest &&
          (fastest == space_.size() || history.seconds(point) < history.seconds(fastest)))
        fastest = point;
      if (seconds <= 1 + kNeighbourhoodMargin &&
          (simplest == space_.size() || changes(point) < changes(simplest)))
        simplest = point;
    }
    propose_simplest_ = !propose_simplest_ && simplest != space_.size() && fastest != best;
    return propose_simplest_ ? simplest : fastest;
  }

  int changes(size_t point) const {
    return parameters_changed(*space_[point].variant, space_[point].config);
  }

  const SearchSpace& space_;
  std::set<size_t> expanded_;
  bool propose_simplest_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_neighbourhood_search(const SearchSpace& space) {
  return std::make_unique<NeighbourhoodSearch>(space);
}

}  // namespace alsbench
