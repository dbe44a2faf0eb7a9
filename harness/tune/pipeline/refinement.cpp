// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/refinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "harness/tune/pipeline/stage_searches.h"

namespace alsbench {
namespace {

constexpr size_t kMaxCandidates = 4096;      // all there are
constexpr int64_t kPollInterval = 2;         // evaluations: the variant's default, and the start
constexpr double kLikelyLimit = 2;           // kMaxSlowdownToTry and what half the steps gain
constexpr double kEstimateMargin = 1.08;     // between different sequences of variants
constexpr double kMaxSlowdownToPlay = 1.06;  // over the fastest of the same variants

// The step's variant, with storage and accuracy held. Its default point has no other setting.
SearchSpace space_around(const PipelineStep& step, const Shape& shape, const DeviceTraits& traits) {
  SpaceRequest request;
  request.variants = {step.variant};
  for (const Parameter& parameter : step.variant->space.parameters())
    if (parameter.effect == Effect::storage || parameter.effect == Effect::accuracy)
      request.axes.push_back({parameter.name, {step.config.get(parameter.name)}});
  return {request, shape, traits};
}

size_t point_of(const PipelineStep& step, const SearchSpace& space) {
  const SearchPoint named{step.variant, step.variant->name, step.config, {}};
  const size_t point = space.find(named.text());
  return point < space.size() ? point : space.default_point();
}

TuneOptions tune_options(const PipelineTuneOptions& options, size_t start, int64_t evaluations,
                         double seconds) {
  TuneOptions tune;
  tune.strategy = kNeighbourhoodSearch;
  tune.strategy_options.seed = options.seed;
  tune.first = {start};
  tune.budget.evaluations = evaluations;
  tune.budget.seconds = seconds;
  tune.sampling.bail_out = 1.1;
  tune.sampling.contender_margin = 0.01;
  tune.sampling.contender_samples = 5;
  tune.sampling.playoff_samples = 0;
  return tune;
}

using VariantSequence = std::vector<const Variant*>;

VariantSequence variants_of(const Pipeline& pipeline) {
  VariantSequence variants;
  for (const PipelineStep& step : pipeline.steps) variants.push_back(step.variant);
  return variants;
}

// Sorted by the settings that are not defaults, which takes long to count; else in their order.
std::vector<const PipelineCandidate*> simplest_first(
    const std::vector<const PipelineCandidate*>& candidates) {
  std::vector<std::pair<int, const PipelineCandidate*>> counted;
  for (const PipelineCandidate* candidate : candidates)
    counted.emplace_back(parameters_changed(candidate->pipeline), candidate);
  std::ranges::stable_sort(counted, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const PipelineCandidate*> sorted;
  for (const auto& [changed, candidate] : counted) sorted.push_back(candidate);
  return sorted;
}

}  // namespace

Refinement refine(TrialRunner& runner, const std::string& part, const Pipeline& pipeline,
                  const PipelineTuneOptions& options, const RefinementLimits& limits) {
  std::vector<SearchSpace> spaces;
  for (const PipelineStep& step : pipeline.steps)
    spaces.push_back(space_around(step, runner.shape(part), runner.traits()));
  std::vector<TuningResult> results(spaces.size());
  const double share = limits.budget_seconds / static_cast<double>(spaces.size());
  const auto search = [&](size_t i, int64_t evaluations) {
    const size_t start = point_of(pipeline.steps[i], spaces[i]);
    results[i] = runner.search(part, spaces[i], tune_options(options, start, evaluations, share),
                               std::exchange(results[i].points, {}));
    return results[i].found ? results[i].best_seconds : std::numeric_limits<double>::infinity();
  };
  double looked = 0;
  if (std::isfinite(limits.part_seconds))
    for (size_t i = 0; i < spaces.size(); ++i) looked += search(i, kPollInterval);
  Refinement refinement;
  MeasuredStages stages;
  for (size_t i = 0; i < spaces.size(); ++i) {
    if (looked <= limits.part_seconds) search(i, options.refine_evaluations);
    stages[pipeline.steps[i].variant->stage] = measured_steps(results[i], spaces[i]);
    StageSearch ended = ended_search(runner, part, spaces[i], std::move(results[i]));
    ended.refines =
        fmt::format("{}, {}", precision_of(pipeline).storage_text(), rung_text(pipeline));
    refinement.searches.push_back(std::move(ended));
  }
  auto found = candidates(runner.algorithm().pipelines(part), stages, kMaxCandidates);
  refinement.candidates = std::move(found[precision_of(pipeline)]);
  return refinement;
}

void expect_refinement(TrialRunner& runner, const std::string& part,
                       const std::vector<PipelineCandidate>& candidates,
                       const PipelineTuneOptions& options) {
  int64_t evaluations = options.refine_evaluations;
  for (const PipelineCandidate& start : fastest_of_each_sequence(candidates, kLikelyLimit)) {
    for (const PipelineStep& step : start.pipeline.steps) {
      const SearchSpace space = space_around(step, runner.shape(part), runner.traits());
      const TuneOptions tune = tune_options(options, point_of(step, space), evaluations, 0);
      runner.expect(part, space, first_points(space, tune));
    }
    evaluations = kPollInterval;
  }
}

std::vector<PipelineCandidate> fastest_of_each_sequence(
    const std::vector<PipelineCandidate>& candidates, double limit) {
  std::vector<PipelineCandidate> list;
  std::set<VariantSequence> known;
  for (const PipelineCandidate& candidate : candidates)
    if (candidate.seconds <= limit * candidates.front().seconds &&
        known.insert(variants_of(candidate.pipeline)).second)
      list.push_back(candidate);
  return list;
}

const PipelineCandidate& simplest(const std::vector<PipelineCandidate>& candidates, double limit) {
  std::set<VariantSequence> fast;
  for (const PipelineCandidate& candidate : fastest_of_each_sequence(candidates, limit))
    fast.insert(variants_of(candidate.pipeline));
  std::vector<const PipelineCandidate*> list;
  for (const PipelineCandidate& candidate : candidates)
    if (fast.contains(variants_of(candidate.pipeline))) list.push_back(&candidate);
  return *simplest_first(list).front();
}

std::vector<PipelineCandidate> playoff_candidates(const std::vector<PipelineCandidate>& candidates,
                                                  size_t maximum) {
  std::vector<PipelineCandidate> list = fastest_of_each_sequence(candidates, kEstimateMargin);
  const auto plays = [&](const PipelineCandidate& candidate) {
    return std::ranges::any_of(list, [&](const auto& other) {
      return other.pipeline.text() == candidate.pipeline.text();
    });
  };
  const auto enter = [&](const PipelineCandidate& candidate) {
    if (!plays(candidate)) list.push_back(candidate);
  };
  std::vector<const PipelineCandidate*> fast;
  for (const PipelineCandidate& candidate : candidates)
    if (candidate.seconds <= kMaxSlowdownToPlay * candidates.front().seconds)
      fast.push_back(&candidate);
  const std::vector<const PipelineCandidate*> by_parameters_changed = simplest_first(fast);
  for (size_t i = 0; i < fast.size() && list.size() < maximum; ++i) {
    enter(*by_parameters_changed[i]);
    enter(*fast[i]);
  }
  list.resize(std::min(list.size(), maximum));
  const PipelineCandidate& last = simplest(candidates, 1);
  if (plays(last)) return list;
  list.resize(std::min(list.size(), maximum - 1));
  list.push_back(last);
  return list;
}

}  // namespace alsbench
