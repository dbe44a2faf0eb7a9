// SPDX-License-Identifier: Apache-2.0
// The claims docs/explanation/tuning.md makes of the default strategy and of refinements, on every
// committed recording.
#include <gtest/gtest.h>

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
  options.budget_evaluations = static_cast<int64_t>(space.size() / 10);
  const auto strategy = make_strategy(strategy_names().front(), space, options);
  History history(space.size());
  const auto measure = [&](size_t point) {
    history.set(point, recording.evaluations[point].median());
  };
  measure(space.default_point());
  while (static_cast<int64_t>(history.order().size()) < options.budget_evaluations) {
    const Turn turn = strategy->next(history);
    if (turn.measure.empty()) break;
    for (const Proposal& proposal : turn.measure)
      if (static_cast<int64_t>(history.order().size()) < options.budget_evaluations)
        measure(proposal.point);
  }
  return history.best() < space.size() && history.seconds(history.best()) <= 1.01 * best;
}

// Measures what the strategy asks for, at most `most` points.
void follow(Strategy& strategy, const Recording& recording, int64_t most, History& history) {
  for (Turn turn = strategy.next(history);
       !turn.measure.empty() && std::ssize(history.order()) < most; turn = strategy.next(history))
    for (const Proposal& proposal : turn.measure)
      if (std::ssize(history.order()) < most)
        history.set(proposal.point, recording.evaluations[proposal.point].median());
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
  options.budget_evaluations = plan.stage_evaluations;
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
  int least = std::numeric_limits<int>::max();
  for (const size_t point : history.order()) {
    if (history.seconds(point) <= 1.015 * best) found.ties.insert(space[point].text());
    const int changed = settings_changed(*space[point].variant, space[point].config);
    if (history.seconds(point) > 1.005 * best || changed >= least) continue;
    least = changed;
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

TEST(Recorded, TheDefaultStrategyIsWithinOnePercentIn95Of100Seeds) {
  for (const std::filesystem::path& path : recordings()) {
    const Recording recording = read_recording(path);
    double best = std::numeric_limits<double>::infinity();
    for (const Evaluation& evaluation : recording.evaluations)
      best = std::min(best, evaluation.median());
    int found = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) found += finds_best(recording, best, seed) ? 1 : 0;
    EXPECT_GE(found, 95) << path;
  }
}

}  // namespace
}  // namespace alsbench
