// SPDX-License-Identifier: Apache-2.0
// The claims docs/explanation/tuning-algorithm.md makes of the default strategy, of refinements and
// of warm starts, on every committed recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/search/strategy.h"
#include "harness/tune/search/tuning_journal.h"

namespace alsbench {
namespace {

// All committed recordings. A test fails where there is none.
std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(ALSBENCH_SOURCE_DIR) / "results" / "recorded"))
    if (entry.path().string().ends_with(".journal.gz")) list.push_back(entry.path());
  EXPECT_FALSE(list.empty());
  return list;
}

// Whether the strategy comes within 1 % of the recorded best with a tenth of the points.
bool finds_best(const Recording& recording, double best, uint64_t seed) {
  const SearchSpace& space = recording.space;
  StrategyOptions options;
  options.seed = seed;
  const size_t maximum = space.size() / 10;
  const auto strategy = make_strategy(strategy_names().front(), space, options);
  History history(space.size());
  const auto measure = [&](size_t point) {
    history.set(point, recording.evaluations[point].median());
  };
  measure(space.default_point());
  while (history.order().size() < maximum) {
    const ProposalBatch batch = strategy->next(history);
    if (batch.measure.empty()) break;
    for (const size_t point : batch.measure)
      if (history.order().size() < maximum) measure(point);
  }
  return history.best() < space.size() && history.seconds(history.best()) <= 1.01 * best;
}

// Measures what the strategy asks for, at most `maximum` points.
void follow(Strategy& strategy, const Recording& recording, int64_t maximum, History& history) {
  for (ProposalBatch batch = strategy.next(history);
       !batch.measure.empty() && std::ssize(history.order()) < maximum;
       batch = strategy.next(history))
    for (const size_t point : batch.measure)
      if (std::ssize(history.order()) < maximum)
        history.set(point, recording.evaluations[point].median());
}

struct Found {
  std::string pick;            // the simplest that is as fast as the best
  std::set<std::string> ties;  // measured, and about as fast
};

// A short search, then its refinement, as a tuning of pipelines has them.
Found refined(const Recording& recording, uint64_t seed) {
  const PipelineTuneOptions plan;
  const SearchSpace& space = recording.space;
  StrategyOptions options;
  options.seed = seed;
  History coarse(space.size());
  coarse.set(space.default_point(), recording.evaluations[space.default_point()].median());
  follow(*make_strategy("guided", space, options), recording, plan.stage_evaluations, coarse);

  History history(space.size());
  for (const size_t start : {space.default_point(), coarse.best()})
    history.set(start, coarse.seconds(start));
  follow(*make_strategy(kNeighbourhoodSearch, space, options), recording, plan.refine_evaluations,
         history);
  const double best = history.seconds(history.best());
  Found found;
  int minimum = std::numeric_limits<int>::max();
  for (const size_t point : history.order()) {
    if (history.seconds(point) <= 1.015 * best) found.ties.insert(space[point].text());
    const int changed = parameters_changed(*space[point].variant, space[point].config);
    if (history.seconds(point) > 1.005 * best || changed >= minimum) continue;
    minimum = changed;
    found.pick = space[point].text();
  }
  return found;
}

TEST(Recorded, RefinementsFromDifferentSearchesMeet) {
  for (const std::filesystem::path& path : recordings()) {
    const Recording recording = read_recording(path);
    std::vector<Found> found;
    for (uint64_t seed = 1; seed <= 10; ++seed) found.push_back(refined(recording, seed));
    for (const Found& one : found)
      for (const Found& other : found)
        EXPECT_TRUE(other.ties.contains(one.pick)) << path << ": " << one.pick;
  }
}

TEST(Recorded, TheDefaultStrategyIsWithinOnePercentIn90Of100Seeds) {
  for (const std::filesystem::path& path : recordings()) {
    const Recording recording = read_recording(path);
    double best = std::numeric_limits<double>::infinity();
    for (const Evaluation& evaluation : recording.evaluations)
      best = std::min(best, evaluation.median());
    int found = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) found += finds_best(recording, best, seed) ? 1 : 0;
    EXPECT_GE(found, 90) << path;
  }
}

// "hermitian-tiled" of "hermitian-tiled-netflix-rank100-x.journal.gz".
std::string variant_of(const std::filesystem::path& recording) {
  const std::string name = recording.filename().string();
  return name.substr(0, name.find('-', name.find('-') + 1));
}

size_t fastest(const Recording& recording) {
  const auto& all = recording.evaluations;
  return static_cast<size_t>(
      std::min_element(all.begin(), all.end(),
                       [](const auto& a, const auto& b) { return a.median() < b.median(); }) -
      all.begin());
}

// Points of this space that a tuning with a warm start measures: those around the pick and the
// default, with the storage types of the pick, by half a refinement. Gives the number of points and
// the seconds of the fastest.
std::pair<int64_t, double> warm_started(const Recording& recording, const std::string& pick) {
  const SearchSpace& space = recording.space;
  const SearchPoint& named = space[space.find(pick)];
  const Storage storage = storage_of(*named.variant, named.config);
  std::vector<SearchPoint> points;
  for (const SearchPoint& point : space.points())
    if (storage_of(*point.variant, point.config) == storage) points.push_back(point);
  Recording held{recording};
  held.space = SearchSpace(points, space[space.default_point()].text());
  for (size_t i = 0; i < points.size(); ++i)
    held.evaluations[i] = recording.evaluations[space.find(points[i].text())];
  History history(held.space.size());
  for (const size_t start : {held.space.default_point(), held.space.find(pick)})
    history.set(start, held.evaluations[start].median());
  follow(*make_strategy(kNeighbourhoodSearch, held.space, {}), held,
         PipelineTuneOptions().refine_evaluations / 2, history);
  return {std::ssize(history.order()), history.seconds(history.best())};
}

// A cold one searches a stage and then refines what it found.
int64_t cold_evaluations(const Recording& recording) {
  const PipelineTuneOptions plan;
  const auto size = static_cast<int64_t>(recording.space.size());
  return plan.stage_evaluations + std::min(size, plan.refine_evaluations);
}

TEST(Recorded, AWarmStartEndsAtTheBestWithHalfTheEvaluations) {
  int pairs = 0;
  for (const std::filesystem::path& path : recordings())
    for (const std::filesystem::path& other : recordings()) {
      if (other == path || other.parent_path() != path.parent_path() ||
          variant_of(other) != variant_of(path))
        continue;
      const Recording here = read_recording(path), near = read_recording(other);
      const std::string pick = near.space[fastest(near)].text();
      if (here.space.find(pick) == here.space.size()) continue;  // it was not recorded here
      const auto [evaluations, seconds] = warm_started(here, pick);
      const double best = here.evaluations[fastest(here)].median();
      EXPECT_LE(2 * evaluations, cold_evaluations(here)) << path << " from " << other;
      EXPECT_LE(seconds, 1.01 * best) << path << " from " << other;
      ++pairs;
    }
  EXPECT_GE(pairs, 6);
}

}  // namespace
}  // namespace alsbench
