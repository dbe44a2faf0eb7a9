// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/strategies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace alsbench {
namespace {

// Proposals of a list's points that are not measured yet, in turns that compile ahead.
class InOrder : public Strategy {
 public:
  InOrder(std::vector<size_t> order, bool again) : order_(std::move(order)), again_(again) {}

  Turn next(const History& history) override {
    Turn turn;
    while (position_ < order_.size() && turn.measure.size() < kTurn) {
      const size_t point = order_[position_++];
      if (again_ || !history.measured(point)) turn.measure.push_back({point});
    }
    for (size_t i = position_; i < std::min(order_.size(), position_ + kAhead); ++i)
      turn.likely_next.push_back(order_[i]);
    return turn;
  }

 private:
  static constexpr size_t kTurn = 8, kAhead = 64;
  std::vector<size_t> order_;
  bool again_;  // measure points that are known already once more
  size_t position_ = 0;
};

// Successive halving (Jamieson and Talwalkar, AISTATS 2016) with a factor of three: each rung keeps
// the better third and doubles the samples.
class Halving : public Strategy {
 public:
  Halving(std::vector<size_t> candidates, size_t most) : rung_(std::move(candidates)) {
    rung_.resize(std::min(rung_.size(), most));
  }

  Turn next(const History& history) override {
    if (samples_ > 0) {
      if (rung_.size() <= kLast) return {};
      std::stable_sort(rung_.begin(), rung_.end(),
                       [&](size_t a, size_t b) { return history.seconds(a) < history.seconds(b); });
      rung_.resize((rung_.size() + 2) / 3);
    }
    samples_ = samples_ == 0 ? 1 : 2 * samples_;
    Turn turn;
    for (const size_t point : rung_) turn.measure.push_back({point, samples_});
    return turn;
  }

 private:
  static constexpr size_t kLast = 3;
  std::vector<size_t> rung_;
  int64_t samples_ = 0;
};

// First-improvement descent. Neighbours that are known cost nothing.
class Local : public Strategy {
 public:
  Local(const SearchSpace& space, uint64_t seed)
      : space_(space), random_(seed), restarts_(shuffled_points(space, random_)) {}

  Turn next(const History& history) override {
    if (current_ == kNone) move_to(space_.default_point());
    while (true) {
      while (position_ < around_.size()) {
        const size_t candidate = around_[position_];
        if (!history.measured(candidate)) return proposal(candidate);
        if (history.seconds(candidate) < history.seconds(current_))
          move_to(candidate);
        else
          ++position_;
      }
      while (!restarts_.empty() && history.measured(restarts_.back())) restarts_.pop_back();
      if (restarts_.empty()) return {};
      if (restart_ != kNone && history.measured(restart_)) {
        move_to(restart_);
        restart_ = kNone;
        continue;
      }
      restart_ = restarts_.back();
      return proposal(restart_);
    }
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  void move_to(size_t point) {
    current_ = point;
    around_ = neighbours(space_, point);
    std::shuffle(around_.begin(), around_.end(), random_);
    position_ = 0;
  }

  Turn proposal(size_t point) const {
    Turn turn;
    turn.measure.push_back({point});
    turn.likely_next.assign(around_.begin() + static_cast<std::ptrdiff_t>(position_),
                            around_.end());
    return turn;
  }

  const SearchSpace& space_;
  std::mt19937_64 random_;
  std::vector<size_t> restarts_;
  size_t current_ = kNone, restart_ = kNone;
  std::vector<size_t> around_;
  size_t position_ = 0;
};

// Simulated annealing on the logarithm of seconds. The temperature falls geometrically over the
// evaluations there may be.
class Annealing : public Strategy {
 public:
  Annealing(const SearchSpace& space, const StrategyOptions& options)
      : space_(space),
        random_(options.seed),
        horizon_(static_cast<double>(
            std::min<int64_t>(options.budget_evaluations, static_cast<int64_t>(space.size())))),
        rest_(shuffled_points(space, random_)) {}

  Turn next(const History& history) override {
    if (current_ == kNone) current_ = space_.default_point();
    if (candidate_ != kNone) settle(history);
    for (int free_moves = 0; free_moves < kMostFreeMoves; ++free_moves) {
      const std::vector<size_t>& around = neighbours_of(current_);
      if (around.empty()) break;
      candidate_ = around[random_() % around.size()];
      if (!history.measured(candidate_)) return proposal();
      settle(history);
    }
    // Everything near is known: go elsewhere.
    while (!rest_.empty() && history.measured(rest_.back())) rest_.pop_back();
    if (rest_.empty()) return {};
    candidate_ = rest_.back();
    current_ = candidate_;
    return proposal();
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  static constexpr int kMostFreeMoves = 200;
  static constexpr double kHot = 0.5, kCold = 0.005;  // in logarithms: 65 % and 0.5 % slower

  void settle(const History& history) {
    const double progress = static_cast<double>(history.order().size()) / std::max(horizon_, 1.0);
    const double temperature = kHot * std::pow(kCold / kHot, std::min(progress, 1.0));
    const double here = history.seconds(current_), there = history.seconds(candidate_);
    const double uniform = static_cast<double>(random_() >> 11) * 0x1p-53;
    const bool accepted = there <= here || !std::isfinite(here) ||
                          uniform < std::exp((std::log(here) - std::log(there)) / temperature);
    if (accepted) current_ = candidate_;
    candidate_ = kNone;
  }

  const std::vector<size_t>& neighbours_of(size_t point) {
    const auto [entry, added] = known_neighbours_.try_emplace(point);
    if (added) entry->second = neighbours(space_, point);
    return entry->second;
  }

  Turn proposal() { return {{{candidate_}}, neighbours_of(current_)}; }

  const SearchSpace& space_;
  std::mt19937_64 random_;
  double horizon_;
  std::vector<size_t> rest_;
  std::map<size_t, std::vector<size_t>> known_neighbours_;
  size_t current_ = kNone, candidate_ = kNone;
};

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
    if (std::find(list.begin(), list.end(), found.second) == list.end())
      list.push_back(found.second);
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

std::unique_ptr<Strategy> make_halving(const SearchSpace& space, const StrategyOptions& options) {
  std::mt19937_64 random(options.seed);
  std::vector<size_t> candidates = shuffled_points(space, random);
  // The default, which is measured in any case, takes part.
  std::iter_swap(candidates.begin(),
                 std::find(candidates.begin(), candidates.end(), space.default_point()));
  const auto most = static_cast<size_t>(
      std::min<int64_t>(options.budget_evaluations, static_cast<int64_t>(space.size())));
  return std::make_unique<Halving>(std::move(candidates), std::max<size_t>(most, 1));
}

std::unique_ptr<Strategy> make_local(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Local>(space, options.seed);
}

std::unique_ptr<Strategy> make_annealing(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Annealing>(space, options);
}

}  // namespace alsbench
