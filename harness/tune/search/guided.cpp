// SPDX-License-Identifier: Apache-2.0
// The default strategy: Bayesian optimisation (Jones, Schonlau and Welch, "Efficient global
// optimization of expensive black-box functions", 1998). It begins with the default changed to take
// the fewest bytes or, where that is known, with a few points that differ much from each other.
// Then it takes the point with the greatest expected improvement over the best times the
// probability that it can be measured.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "harness/tune/search/gaussian_process.h"
#include "harness/tune/search/strategy.h"

namespace alsbench {
namespace {

constexpr size_t kAhead = 16;
constexpr size_t kPointsForEachSpread = 70;

size_t different_coordinates(const SearchSpace& space, size_t p, size_t q) {
  const auto &a = space[p].coordinates, &b = space[q].coordinates;
  size_t count = 0;
  for (size_t d = 0; d < a.size(); ++d) count += a[d] != b[d] ? 1 : 0;
  return count;
}

// Expected improvement below `best`.
double expected_improvement(const GaussianProcess::Prediction& prediction, double best) {
  if (prediction.deviation <= 0) return 0;
  const double z = (best - prediction.mean) / prediction.deviation;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return prediction.deviation * (z * below + density);
}

// How probable it is that a point can be measured at all. Points fail where a resource of the
// device is exceeded, so failures lie together, mostly far from where they hurt the times: a
// failure has no time, and says nothing of the times around it.
class Feasibility {
 public:
  explicit Feasibility(const SearchSpace& space)
      : space_(space), ok_(space.size(), 0), all_(space.size(), 0) {}

  void add(size_t point, bool ok) {
    ++points_;
    oks_ += ok ? 1 : 0;
    for (size_t q = 0; q < space_.size(); ++q) {
      const auto weight = static_cast<float>(std::exp(-kRange * distance(point, q)));
      all_[q] += weight;
      if (ok) ok_[q] += weight;
    }
  }
  // The share of successes near the point, each weighed by exp(-distance), and drawn towards the
  // share of all where little is near. 1 as long as nothing failed.
  double probability(size_t point) const {
    if (oks_ == points_) return 1;
    const double share = (oks_ + 1) / (points_ + 2);
    return (ok_[point] + kPrior * share) / (all_[point] + kPrior);
  }

 private:
  // At this distance in one parameter, of its whole range, a weight falls to exp(-6).
  static constexpr double kRange = 6;
  static constexpr double kPrior = 0.1;  // weight of the share of all points

  double distance(size_t p, size_t q) const {
    const std::vector<int32_t>&here = space_[p].coordinates, &there = space_[q].coordinates;
    double sum = 0;
    for (size_t d = 0; d < here.size(); ++d) {
      if (here[d] == there[d]) continue;
      const Dimension& dimension = space_.dimensions()[d];
      const bool steps = dimension.ordered && here[d] >= 0 && there[d] >= 0;
      sum += steps ? std::abs(here[d] - there[d]) / static_cast<double>(dimension.values.size() - 1)
                   : 1;
    }
    return sum;
  }

  const SearchSpace& space_;
  std::vector<float> ok_, all_;  // of each point: sums of weights
  double oks_ = 0, points_ = 0;
};

class Guided : public Strategy {
 public:
  Guided(const SearchSpace& space, const StrategyOptions& options)
      : space_(space),
        random_(options.seed),
        features_(space),
        model_(features_, space.size()),
        feasibility_(space),
        bytes_differ_(differ_in_bytes(space)) {}

  ProposalBatch next(const History& history) override {
    if (!started_) {
      started_ = true;
      const size_t lean = leanest();
      ProposalBatch first = history.measured(lean) ? spread(history) : only(lean);
      if (!first.measure.empty()) return first;
    }
    return most_promising(history);
  }

 private:
  static ProposalBatch only(size_t point) {
    ProposalBatch batch;
    batch.measure.push_back(point);
    return batch;
  }

  // Of the points that are expected to take least, the one most like the default.
  size_t leanest() const {
    const size_t fallback = space_.default_point();
    const auto key = [&](size_t point) {
      return std::pair(space_.expected(point), different_coordinates(space_, point, fallback));
    };
    size_t lean = fallback;
    for (size_t point = 0; point < space_.size(); ++point)
      if (key(point) < key(lean)) lean = point;
    return lean;
  }

  // Points far from those chosen before: each the farthest of a random few.
  ProposalBatch spread(const History& history) {
    std::vector<size_t> chosen = history.order();
    const size_t dimensions = space_.dimensions().size();
    const size_t wanted =
        std::max<size_t>(1, std::min((dimensions + 1) / 2, space_.size() / kPointsForEachSpread));
    ProposalBatch batch;
    std::vector<size_t> order = shuffled_points(space_, random_);
    while (batch.measure.size() < wanted) {
      size_t farthest = space_.size(), maximum = 0;
      constexpr size_t kFew = 30;
      std::shuffle(order.begin(), order.end(), random_);
      for (size_t i = 0; i < std::min(order.size(), kFew); ++i) {
        size_t nearest = dimensions;
        for (const size_t other : chosen)
          nearest = std::min(nearest, different_coordinates(space_, order[i], other));
        if (nearest <= maximum) continue;
        maximum = nearest;
        farthest = order[i];
      }
      if (farthest == space_.size()) break;  // all of the few are chosen: a tiny space
      chosen.push_back(farthest);
      batch.measure.push_back(farthest);
    }
    return batch;
  }

  ProposalBatch most_promising(const History& history) {
    std::vector<size_t> rest;
    for (size_t point = 0; point < space_.size(); ++point)
      if (!history.measured(point)) rest.push_back(point);
    if (rest.empty()) return {};
    std::shuffle(rest.begin(), rest.end(), random_);  // ties go by seed
    const size_t best = history.best();
    if (best < space_.size()) {
      learn(history);
      rank(rest, value_of(best, history));
    }
    ProposalBatch batch;
    batch.measure.push_back(rest.front());
    const auto end = static_cast<std::ptrdiff_t>(std::min(rest.size(), 1 + kAhead));
    batch.likely_next.assign(rest.begin() + 1, rest.begin() + end);
    return batch;
  }

  // The value that is minimised in place of seconds. Where the bytes of points differ, seconds are
  // about proportional to them: the logarithm. Else the square of the speed, as a share of the
  // best's, which is bounded: a point that takes 30 times the best is no worse than one that takes
  // 10, and a model of the logarithm would follow such tails.
  double value_of(size_t point, const History& history) const {
    if (bytes_differ_) return std::log(history.seconds(point));
    const double speed = history.seconds(history.best()) / history.seconds(point);
    return -speed * speed;
  }

  // Points that failed have no value: they tell of feasibility alone.
  void learn(const History& history) {
    const std::vector<size_t>& order = history.order();
    for (; known_ < order.size(); ++known_)
      feasibility_.add(order[known_], std::isfinite(history.seconds(order[known_])));
    std::vector<size_t> points;
    std::vector<double> values;
    for (const size_t point : order) {
      if (!std::isfinite(history.seconds(point))) continue;
      points.push_back(point);
      values.push_back(value_of(point, history) - prior_mean(point));
    }
    model_.learn(points, values);
  }

  double prior_mean(size_t point) const { return bytes_differ_ ? space_.expected(point) : 0; }

  // Orders points by expected improvement times feasibility, the greatest first.
  void rank(std::vector<size_t>& points, double best) const {
    std::vector<std::pair<double, size_t>> scored;
    for (const size_t point : points) {
      GaussianProcess::Prediction prediction = model_.predict(point);
      prediction.mean += prior_mean(point);
      scored.emplace_back(expected_improvement(prediction, best) * feasibility_.probability(point),
                          point);
    }
    std::ranges::stable_sort(scored,
                             [](const auto& a, const auto& b) { return a.first > b.first; });
    for (size_t i = 0; i < points.size(); ++i) points[i] = scored[i].second;
  }

  static bool differ_in_bytes(const SearchSpace& space) {
    for (size_t point = 1; point < space.size(); ++point)
      if (space.expected(point) != space.expected(0)) return true;
    return false;
  }

  const SearchSpace& space_;
  std::mt19937_64 random_;
  Features features_;
  GaussianProcess model_;
  Feasibility feasibility_;
  bool bytes_differ_;
  size_t known_ = 0;  // measured points that feasibility_ has
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_guided(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Guided>(space, options);
}

}  // namespace alsbench
