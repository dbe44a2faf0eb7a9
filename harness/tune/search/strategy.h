// SPDX-License-Identifier: Apache-2.0
// Strategy: decides which points of a search space are measured next. It sees coordinates and
// seconds alone, so it runs the same on a device and on a recording.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

// Measured values of every point: strategies read them, the tuner fills them in.
class History {
 public:
  explicit History(size_t points) : seconds_(points, kUnknown) {}
  bool measured(size_t point) const { return seconds_[point] != kUnknown; }
  // Infinite where the point failed.
  double seconds(size_t point) const { return seconds_[point]; }
  const std::vector<size_t>& order() const { return order_; }  // of first measurement
  size_t best() const;  // of those measured; the space's size where all failed
  void set(size_t point, double seconds);

 private:
  static constexpr double kUnknown = -1;
  std::vector<double> seconds_;
  std::vector<size_t> order_;
};

// Points that a strategy asks for at a time.
struct ProposalBatch {
  std::vector<size_t> measure;      // in this order; empty: the strategy has finished
  std::vector<size_t> likely_next;  // worth compiling meanwhile
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Called again once everything of the turn before is measured. The default point is measured
  // before the first call.
  virtual ProposalBatch next(const History& history) = 0;
};

struct StrategyOptions {
  uint64_t seed = 1;
  int64_t passes = 1;  // exhaustive: over all points, each in a new random order
};

// The strategy of refinements (neighbourhood_search.cpp), which users cannot choose. A point counts
// as about as fast as the fastest up to this margin.
inline constexpr const char* kNeighbourhoodSearch = "plateau";
inline constexpr double kNeighbourhoodMargin = 0.03;

// "guided", which is the default; "exhaustive", which records spaces; and "random", which others
// are compared with.
const std::vector<std::string>& strategy_names();
// Throws UsageError naming the nearest valid name. `space` must outlive the strategy.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const SearchSpace& space,
                                        const StrategyOptions& options);

// Each by itself; make_strategy() picks one by name.
std::unique_ptr<Strategy> make_guided(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_random(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_neighbourhood_search(const SearchSpace& space);

// All points of a space in random order.
std::vector<size_t> shuffled_points(const SearchSpace& space, std::mt19937_64& random);

// For every other value of every dimension: the point that has it and differs least from `point`.
// Mostly that is a change of one parameter. Where an objection, a tie or another variant's
// parameters forbid it, more parameters change, as few as possible.
std::vector<size_t> neighbours(const SearchSpace& space, size_t point);

}  // namespace alsbench
