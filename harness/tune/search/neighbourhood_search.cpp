// SPDX-License-Identifier: Apache-2.0
// The strategy of refinements: from what is measured already over the neighbours of what is fast,
// and in turn of the plainest that is about as fast as the best, until those of both are measured.
// So the choice does not hang on where a search happened to stop. No chance in it.
#include <algorithm>
#include <set>

#include "harness/tune/search/strategies.h"

namespace alsbench {
namespace {

constexpr double kSlope = 0.05;  // over the best: from where a way down may begin

class Plateau : public Strategy {
 public:
  explicit Plateau(const SearchSpace& space) : space_(space) {}

  StrategyStep next(const History& history) override {
    for (;;) {
      const size_t point = unexpanded(history);
      if (point == space_.size()) return {};
      expanded_.insert(point);
      StrategyStep step;
      for (const size_t near : neighbours(space_, point))
        if (!history.measured(near)) step.measure.push_back({near});
      if (step.measure.empty()) continue;
      // A better one among these is expanded next.
      for (const Proposal& proposal : step.measure)
        for (const size_t near : neighbours(space_, proposal.point))
          if (!history.measured(near)) step.likely_next.push_back(near);
      return step;
    }
  }

 private:
  // Of the points whose neighbours are not measured yet: the fastest, if it is near the best, or
  // the plainest on the plateau, in turn; the space's size where there is none.
  size_t unexpanded(const History& history) {
    const size_t best = history.best();
    if (best == space_.size()) return best;
    size_t fastest = space_.size(), plainest = space_.size();
    for (const size_t point : history.order()) {
      if (expanded_.contains(point)) continue;
      const double seconds = history.seconds(point) / history.seconds(best);
      if (seconds <= 1 + kSlope &&
          (fastest == space_.size() || history.seconds(point) < history.seconds(fastest)))
        fastest = point;
      if (seconds <= 1 + kPlateauMargin &&
          (plainest == space_.size() || changes(point) < changes(plainest)))
        plainest = point;
    }
    plain_turn_ = !plain_turn_ && plainest != space_.size() && fastest != best;
    return plain_turn_ ? plainest : fastest;
  }

  int changes(size_t point) const {
    return settings_changed(*space_[point].variant, space_[point].config);
  }

  const SearchSpace& space_;
  std::set<size_t> expanded_;
  bool plain_turn_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_plateau(const SearchSpace& space, const StrategyOptions&) {
  return std::make_unique<Plateau>(space);
}

}  // namespace alsbench
