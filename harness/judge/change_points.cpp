// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/change_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/median.h"
#include "harness/judge/statistics.h"
#include "harness/judge/verdict.h"

namespace alsbench {
namespace {

// A level, equal small changes, and another level. The first change comes with the value `at`, the
// last with `last`.
struct Slope {
  size_t at = 0, last = 0;
  double squares = std::numeric_limits<double>::infinity();  // of the values about it
  double step = 0;                                           // each of the changes
};

// Sums of squares about the mean of any stretch of the values, and about any slope.
class Squares {
 public:
  explicit Squares(const std::vector<double>& values) : sums_{0}, moments_{0}, squares_{0} {
    for (size_t i = 0; i < values.size(); ++i) {
      const double centred = values[i] - values.front();  // so that no digits are lost
      sums_.push_back(sums_.back() + centred);
      moments_.push_back(moments_.back() + static_cast<double>(i) * centred);
      squares_.push_back(squares_.back() + centred * centred);
    }
  }
  double about_mean(size_t from, size_t to) const {
    const double sum = sums_[to] - sums_[from];
    return squares_[to] - squares_[from] - sum * sum / static_cast<double>(to - from);
  }
  // The line through the number of changes that each value has seen.
  Slope about_slope(size_t from, size_t at, size_t last, size_t to) const {
    const auto values = static_cast<double>(to - from), steps = static_cast<double>(last - at + 1),
               after = static_cast<double>(to - last - 1);
    const double changes = steps * (steps + 1) / 2 + after * steps,
                 changes_squares =
                     steps * (steps + 1) * (2 * steps + 1) / 6 + after * steps * steps;
    const double amid = sums_[last + 1] - sums_[at];
    const double products = moments_[last + 1] - moments_[at] -
                            (static_cast<double>(at) - 1) * amid +
                            steps * (sums_[to] - sums_[last + 1]);
    const double covariance = products - changes * (sums_[to] - sums_[from]) / values;
    const double step = covariance / (changes_squares - changes * changes / values);
    return {at, last, about_mean(from, to) - step * covariance, step};
  }

 private:
  std::vector<double> sums_, moments_, squares_;
};

// The standard deviation of the noise, from differences of neighbours, which a change of level
// leaves alone; at least a twentieth of the bound.
double noise_of(const std::vector<double>& logs, double bound) {
  std::vector<double> differences;
  for (size_t i = 1; i < logs.size(); ++i) differences.push_back(std::abs(logs[i] - logs[i - 1]));
  constexpr double kDeviationOfMedian = 1.4826;  // of normal noise
  return std::max(kDeviationOfMedian / std::sqrt(2.0) * median(std::move(differences)), bound / 20);
}

class Segmentation {
 public:
  Segmentation(const std::vector<double>& logs, const ChangeRules& rules)
      : logs_(logs), rules_(rules), squares_(logs), fewest_(static_cast<size_t>(rules.fewest)) {
    const double noise = noise_of(logs, rules.bound);
    price_ = 3 * noise * noise * std::log(static_cast<double>(logs.size()));
    time_rules_.bound = rules.bound;
    time_rules_.alpha = rules.alpha;
  }

  std::vector<ChangePoint> run() {
    ends_ = partition();
    while (drop_least_certain()) settle();
    std::vector<ChangePoint> points;
    const auto places = static_cast<double>(places_of(static_cast<int64_t>(logs_.size()), rules_));
    for (size_t i = 1; i + 1 < ends_.size(); ++i) {
      const CaseComparison levels = compared(ends_[i - 1], ends_[i], ends_[i + 1]);
      points.push_back({ends_[i], levels, std::min(1.0, levels.p * places)});
    }
    for (size_t i = 1; i < ends_.size(); ++i)
      if (const auto drift = drift_of(ends_[i - 1], ends_[i])) points.push_back(*drift);
    std::ranges::sort(points, {}, &ChangePoint::at);
    return with_creeps(points);
  }

 private:
  // The levels with the least squares, each change of which costs as much as it gains by chance
  // (Yao, Statistics and Probability Letters 6, 1988). Begins with 0 and ends with the size.
  std::vector<size_t> partition() const {
    const size_t size = logs_.size();
    std::vector<double> minimum(size + 1, std::numeric_limits<double>::infinity());
    std::vector<size_t> before(size + 1, 0);
    minimum[0] = -price_;
    for (size_t to = fewest_; to <= size; ++to)
      for (size_t from = 0; from + fewest_ <= to; ++from) {
        const double cost = minimum[from] + squares_.about_mean(from, to) + price_;
        if (cost >= minimum[to]) continue;
        minimum[to] = cost;
        before[to] = from;
      }
    std::vector<size_t> ends{size};
    while (ends.back() > 0) ends.push_back(before[ends.back()]);
    std::ranges::reverse(ends);
    return ends;
  }

  // The place between two ends that leaves the least squares on both of its sides.
  size_t best_split(size_t from, size_t to) const {
    size_t best = from + fewest_;
    double minimum = std::numeric_limits<double>::infinity();
    for (size_t at = from + fewest_; at + fewest_ <= to; ++at) {
      const double cost = squares_.about_mean(from, at) + squares_.about_mean(at, to);
      if (cost < minimum) minimum = cost, best = at;
    }
    return best;
  }

  // Every change to its best place between its neighbours, until none moves.
  void settle() {
    for (bool moved = true; std::exchange(moved, false);)
      for (size_t i = 1; i + 1 < ends_.size(); ++i) {
        const size_t at = best_split(ends_[i - 1], ends_[i + 1]);
        const auto cost = [&](size_t place) {
          return squares_.about_mean(ends_[i - 1], place) +
                 squares_.about_mean(place, ends_[i + 1]);
        };
        if (cost(at) >= cost(ends_[i])) continue;
        ends_[i] = at;
        moved = true;
      }
  }

  CaseComparison compared(size_t from, size_t at, size_t to) const {
    CaseComparison c = compared({from, at}, {at, to});
    c.adjusted_p = std::min(
        1.0, c.p * static_cast<double>(places_of(static_cast<int64_t>(to - from), rules_)));
    return c;
  }

  CaseComparison compared(std::pair<size_t, size_t> before, std::pair<size_t, size_t> after) const {
    const auto stretch = [&](const std::pair<size_t, size_t>& ends) {
      return std::vector<double>(logs_.begin() + static_cast<std::ptrdiff_t>(ends.first),
                                 logs_.begin() + static_cast<std::ptrdiff_t>(ends.second));
    };
    CaseComparison c;
    estimate_logs(c, stretch(before), stretch(after), time_rules_);
    return c;
  }

  bool holds(const CaseComparison& c) const {
    const double bound = std::log1p(rules_.bound);
    return c.adjusted_p < rules_.alpha &&
           (is_beyond(std::log(c.ratio_low), bound) || is_beyond(-std::log(c.ratio_high), bound));
  }

  // Joins the two levels that can be told apart the least. False where all can.
  bool drop_least_certain() {
    std::optional<size_t> minimum;
    std::pair<double, double> least_certain;
    for (size_t i = 1; i + 1 < ends_.size(); ++i) {
      const CaseComparison c = compared(ends_[i - 1], ends_[i], ends_[i + 1]);
      if (holds(c)) continue;
      const std::pair certain(-c.adjusted_p, std::abs(std::log(c.ratio)));
      if (minimum && certain >= least_certain) continue;
      minimum = i;
      least_certain = certain;
    }
    if (minimum) ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(*minimum));
    return minimum.has_value();
  }

  // Changes too small to be told one by one, whose sum is not.
  std::optional<ChangePoint> drift_of(size_t from, size_t to) const {
    const size_t width = std::min(static_cast<size_t>(rules_.window), (to - from) / 2);
    if (width < fewest_) return std::nullopt;
    ChangePoint point{best_split(from, to), compared({from, from + width}, {to - width, to})};
    point.p = point.comparison.adjusted_p = point.comparison.p;
    return holds(point.comparison) ? std::optional(point) : std::nullopt;
  }

  // The one with the least squares among those that are under way from `first` to `final`. It takes
  // as many values as a level at least, and its steps stay within the bound.
  Slope best_slope(size_t from, size_t first, size_t final, size_t to) const {
    Slope best;
    for (size_t at = from + fewest_; at <= first; ++at)
      for (size_t last = std::max(final, at + fewest_ - 1); last + fewest_ <= to; ++last) {
        const Slope slope = squares_.about_slope(from, at, last, to);
        if (slope.squares < best.squares && std::abs(slope.step) <= std::log1p(rules_.bound))
          best = slope;
      }
    return best;
  }

  // One creep instead of a row of changes, where a slope leaves fewer squares than their levels by
  // more than a change costs. It is as certain as the clearest of them.
  std::optional<ChangePoint> creep_of(std::span<const ChangePoint> row, size_t from,
                                      size_t to) const {
    double squares = squares_.about_mean(row.back().at, to), p = 1, adjusted_p = 1;
    for (size_t level = from; const ChangePoint& point : row) {
      squares += squares_.about_mean(std::exchange(level, point.at), point.at);
      p = std::min(p, point.p);
      adjusted_p = std::min(adjusted_p, point.comparison.adjusted_p);
    }
    const Slope slope = best_slope(from, row.front().at, row.back().at, to);
    if (slope.squares + price_ >= squares) return std::nullopt;
    ChangePoint creep{slope.at, compared({from, slope.at}, {slope.last, to}), p, slope.last};
    creep.comparison.adjusted_p = adjusted_p;
    return holds(creep.comparison) ? std::optional(creep) : std::nullopt;
  }

  // As many changes of one direction as a creep explains, from each on.
  std::vector<ChangePoint> with_creeps(const std::vector<ChangePoint>& changes) const {
    std::vector<ChangePoint> points;
    size_t from = 0;  // of the level before the next change
    for (size_t first = 0; first < changes.size();) {
      const bool up = changes[first].comparison.ratio > 1;
      size_t end = first + 1;
      while (end < changes.size() && (changes[end].comparison.ratio > 1) == up) ++end;
      std::optional<ChangePoint> creep;
      for (; end > first; --end) {
        const size_t to = end < changes.size() ? changes[end].at : logs_.size();
        creep = creep_of(std::span(changes).subspan(first, end - first), from, to);
        if (creep) break;
      }
      points.push_back(creep ? *creep : changes[first]);
      from = creep ? *creep->creep_last : changes[first].at;
      first = creep ? end : first + 1;
    }
    return points;
  }

  const std::vector<double>& logs_;
  const ChangeRules& rules_;
  Squares squares_;
  size_t fewest_;
  double price_ = 0;  // of a change, in squares
  Rules time_rules_;
  std::vector<size_t> ends_;  // of the levels, with 0 and the size
};

}  // namespace

std::vector<ChangePoint> change_points(const std::vector<double>& logs, const ChangeRules& rules) {
  if (places_of(static_cast<int64_t>(logs.size()), rules) == 0) return {};
  return Segmentation(logs, rules).run();
}

int64_t places_of(int64_t values, const ChangeRules& rules) {
  return std::max<int64_t>(0, values - 2 * rules.fewest + 1);
}

int64_t values_needed(int64_t family, const ChangeRules& rules) {
  int64_t values = 2 * rules.fewest;
  while (!can_be_significant(rules.fewest, values - rules.fewest, rules.alpha,
                             places_of(values, rules) * family))
    ++values;
  return values;
}

}  // namespace alsbench
