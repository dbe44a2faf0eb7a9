// The claim docs/tuning.md makes of the default strategy, on every committed recording.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/tune/strategy.h"
#include "harness/tune/tuning_journal.h"

namespace alsbench {
namespace {

std::vector<std::filesystem::path> recordings() {
  const std::filesystem::path folder =
      std::filesystem::path(ALSBENCH_SOURCE_DIR) / "results" / "recorded";
  std::vector<std::filesystem::path> list;
  if (!std::filesystem::exists(folder)) return list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().string().ends_with(".journal.gz")) list.push_back(entry.path());
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
    const StrategyStep step = strategy->next(history);
    if (step.measure.empty()) break;
    for (const Proposal& proposal : step.measure)
      if (static_cast<int64_t>(history.order().size()) < options.budget_evaluations)
        measure(proposal.point);
  }
  return history.best() < space.size() && history.seconds(history.best()) <= 1.01 * best;
}

TEST(Recorded, TheDefaultStrategyIsWithinOnePercentIn95Of100Seeds) {
  if (recordings().empty()) GTEST_SKIP() << "results/recorded has no recording yet";
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
