// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/strategy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "harness/tune/search/covariance.h"
#include "synthetic_space.h"
#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// The points a strategy measures, in order, at most `maximum`.
std::vector<size_t> path_of(const std::string& name, const SearchSpace& space, uint64_t seed,
                            size_t maximum) {
  StrategyOptions options;
  options.seed = seed;
  const auto strategy = make_strategy(name, space, options);
  History history(space.size());
  history.set(space.default_point(), cost_of(space[space.default_point()]));
  while (history.order().size() < maximum) {
    const ProposalBatch batch = strategy->next(history);
    if (batch.measure.empty()) break;
    for (const size_t point : batch.measure)
      if (history.order().size() < maximum) history.set(point, cost_of(space[point]));
  }
  return history.order();
}

double best_of(const SearchSpace& space, const std::vector<size_t>& points) {
  double best = 1e300;
  for (const size_t point : points) best = std::min(best, cost_of(space[point]));
  return best;
}

TEST(Strategy, EveryOneFindsThePointOfATinySpace) {
  const SearchSpace space = grid_space({{"tile", {"1", "8"}}, {"bin", {"16", "64"}}});
  for (const std::string& name : strategy_names()) {
    const std::vector<size_t> path = path_of(name, space, 3, 100);
    EXPECT_EQ(std::set<size_t>(path.begin(), path.end()).size(), space.size()) << name;
  }
}

TEST(Strategy, EveryOneMeasuresAllOfASpaceWithinItsBudget) {
  const SearchSpace space =
      grid_space({{"tile", {"1", "2", "4"}}, {"bin", {"16", "32", "48"}}, {"l1", {"on", "off"}}});
  for (const std::string& name : strategy_names())
    EXPECT_EQ(path_of(name, space, 1, 1000).size(), space.size()) << name;
}

TEST(Strategy, TheSeedAloneDecidesThePath) {
  const SearchSpace space = large_space();
  for (const std::string& name : strategy_names()) {
    EXPECT_EQ(path_of(name, space, 5, 40), path_of(name, space, 5, 40)) << name;
    EXPECT_NE(path_of(name, space, 5, 40), path_of(name, space, 6, 40)) << name;
  }
}

TEST(Strategy, GuidedFindsTheBestOfALargeSpaceWithATenthOfIt) {
  const SearchSpace space = large_space();
  std::vector<size_t> all(space.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  const double minimum = best_of(space, all);
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    found += best_of(space, path_of("guided", space, seed, space.size() / 10)) <= 1.01 * minimum;
  EXPECT_GE(found, 19);
}

using Cost = std::function<double(const SearchPoint&)>;

// Of this many seeds, those in which guided comes within 2 % of the best with so many points, after
// the default.
int found_by_guided(const SearchSpace& space, const Cost& cost, size_t maximum, int seeds) {
  double minimum = std::numeric_limits<double>::infinity();
  for (const SearchPoint& point : space.points()) minimum = std::min(minimum, cost(point));
  int found = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    StrategyOptions options;
    options.seed = static_cast<uint64_t>(seed);
    const auto strategy = make_strategy("guided", space, options);
    History history(space.size());
    history.set(space.default_point(), cost(space[space.default_point()]));
    while (history.order().size() < maximum)
      for (const size_t point : strategy->next(history).measure)
        history.set(point, cost(space[point]));
    found += history.seconds(history.best()) <= 1.02 * minimum ? 1 : 0;
  }
  return found;
}

// The product of two parameters is a resource. The best points are the last that do not exceed it.
double limited_cost(const SearchPoint& point) {
  const double tile = point.config.number("tile"), bin = point.config.number("bin");
  if (tile * bin > 512) return std::numeric_limits<double>::infinity();
  return cost_of(point) * std::pow(512 / (tile * bin), 0.3);
}

TEST(Strategy, NumbersAreAlikeByMagnitudeAndByAlignment) {
  const SearchSpace space = grid_space({{"block", {"16", "64", "128", "144", "256"}}});
  const Features features(space);
  const Covariance alike(features, {std::vector<double>(features.size(), 1.0)});
  const auto block = [&](const std::string& value) { return space.find("v:block=" + value); };
  ASSERT_LT(block("16"), space.size());
  EXPECT_GT(alike(block("128"), block("256")), alike(block("128"), block("144")));
  EXPECT_GT(alike(block("128"), block("64")), alike(block("128"), block("16")));
}

TEST(Strategy, GuidedFindsTheBestBesideFailures) {
  EXPECT_GE(found_by_guided(large_space(), limited_cost, 72, 20), 18);
}

TEST(Strategy, GuidedIsNotMisledByHeavyTails) {
  const Cost cost = [](const SearchPoint& point) {
    const double slow = point.config.is("gather", "b")   ? 30
                        : point.config.is("gather", "d") ? 8
                                                         : 1;
    return cost_of(point) * slow;
  };
  EXPECT_GE(found_by_guided(large_space(), cost, 72, 20), 18);
}

TEST(Strategy, GuidedLeavesADefaultInABadCorner) {
  const Cost cost = [](const SearchPoint& point) {
    const bool corner = point.config.number("tile") <= 2 && point.config.number("bin") <= 32;
    return cost_of(point) * (corner ? 20 : 1);
  };
  const SearchSpace space = large_space();
  ASSERT_GT(cost(space[space.default_point()]), 10e-3);
  EXPECT_GE(found_by_guided(space, cost, 72, 20), 18);
}

TEST(Strategy, GuidedGoesOnWhereTheDefaultFailed) {
  const Cost cost = [](const SearchPoint& point) {
    return point.config.number("tile") <= 2 ? std::numeric_limits<double>::infinity()
                                            : cost_of(point);
  };
  EXPECT_GE(found_by_guided(large_space(), cost, 72, 20), 18);
}

TEST(Strategy, GuidedBeginsWithTheDefaultMadeLean) {
  SpaceRequest request;
  request.variants = {find_variant(&stages::solve, "cg", Backend::cuda)};
  request.axes = {{"cache", {"none"}}, {"steps", {"6", "4"}}};
  const Shape shape = shape_of_size(480189, 17770, 99072112, 100);
  const SearchSpace space(request, shape, gpu());
  History history(space.size());
  history.set(space.default_point(), 1);
  const ProposalBatch batch = make_strategy("guided", space, {})->next(history);
  ASSERT_EQ(batch.measure.size(), 1u);
  const Config fallback = space[space.default_point()].config;
  EXPECT_EQ(space[batch.measure.front()].config.text(),
            fallback.with("matrix", "fp16").with("steps", "4").with("warm", "off").text());
}

TEST(Strategy, ExhaustiveMayPassSeveralTimes) {
  const SearchSpace space = grid_space({{"tile", {"1", "8"}}, {"bin", {"16", "64"}}});
  StrategyOptions options;
  options.passes = 3;
  const auto strategy = make_strategy("exhaustive", space, options);
  History history(space.size());
  std::map<size_t, int> counts;
  for (ProposalBatch batch = strategy->next(history); !batch.measure.empty();
       batch = strategy->next(history))
    for (const size_t point : batch.measure) {
      ++counts[point];
      history.set(point, 1);
    }
  for (size_t point = 0; point < space.size(); ++point) EXPECT_EQ(counts[point], 3);
}

TEST(Strategy, NeighboursDifferInOneParameterWhereTheyCan) {
  const SearchSpace space = large_space();
  const std::vector<size_t> around = neighbours(space, 100);
  EXPECT_EQ(around.size(), 5u + 4 + 3 + 2 + 1);
  for (const size_t other : around) {
    int differences = 0;
    for (size_t d = 0; d < space.dimensions().size(); ++d)
      differences += space[100].coordinates[d] != space[other].coordinates[d] ? 1 : 0;
    EXPECT_EQ(differences, 1);
  }
}

TEST(Strategy, AWrongNameIsNamedWithTheNearest) {
  const SearchSpace space = large_space();
  EXPECT_TRUE(
      contains(thrown_by([&] { make_strategy("guidde", space, {}); }), "did you mean 'guided'"));
}

}  // namespace
}  // namespace alsbench
