// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/stage_search.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "harness/cli/validators.h"
#include "harness/files/gzip.h"

namespace alsbench {
namespace {

// Few enough to be worth it, enough to learn from.
int64_t default_budget(const std::string& strategy, const SearchSpace& space) {
  const auto size = static_cast<int64_t>(space.size());
  if (strategy == "exhaustive") return size;
  return std::min(size, std::max<int64_t>(20, (size + 9) / 10));
}

SamplingPlan sampling_plan(const SpaceSearchOptions& options, bool record) {
  if (options.min_samples.value_or(1) > options.max_samples.value_or(INT64_MAX))
    throw UsageError(fmt::format("--min-samples {} is above --max-samples {}", *options.min_samples,
                                 *options.max_samples));
  SamplingPlan plan;
  plan.estimate_samples = options.min_samples.value_or(plan.estimate_samples);
  plan.contender_samples =
      options.max_samples.value_or(std::max(plan.contender_samples, plan.estimate_samples));
  plan.estimate_samples = std::min(plan.estimate_samples, plan.contender_samples);
  if (record) {
    plan.estimate_samples = plan.contender_samples = options.max_samples.value_or(3);
    plan.bail_out = 0;
    plan.playoff_samples = 0;
  }
  plan.bail_out = options.bail_out.value_or(plan.bail_out);
  plan.playoff_samples = options.playoff_samples.value_or(plan.playoff_samples);
  return plan;
}

}  // namespace

void add_space_search_options(CLI::App& command, SpaceSearchOptions& options) {
  command.add_option("--space", options.space_file,
                     "JSON file with space, search and budget in kernel_tuner's T1 format");
  command.add_option("--min-samples", options.min_samples, "Samples of every point (3)")
      ->check(above_zero());
  command.add_option("--max-samples", options.max_samples, "Samples of contenders (9)")
      ->check(above_zero());
  command
      .add_option(
          "--bail-out", options.bail_out,
          "Stop sampling a point this many times slower than the best (default 2; 0: never)")
      ->check(zero_or_more());
  command
      .add_option("--playoff-samples", options.playoff_samples,
                  "Interleaved samples of every finalist (default 11; 0: no playoff)")
      ->check(zero_or_more());
  command
      .add_option("--passes", options.passes, "Passes over all points with exhaustive, interleaved")
      ->check(above_zero());
}

SpaceFile space_file_of(const SpaceSearchOptions& options) {
  if (options.space_file.empty()) return {};
  return parse_space_file(document_text(options.space_file), options.space_file);
}

TuneOptions tune_options(const TuneSearchOptions& search, const SpaceSearchOptions& options,
                         const SpaceFile& file, const SearchSpace& space, bool record) {
  TuneOptions tune;
  tune.strategy = record ? "exhaustive" : strategy_names().front();
  if (file.strategy) tune.strategy = *file.strategy;
  if (!search.strategy.empty()) tune.strategy = search.strategy;
  const auto first = [](auto chosen, auto next, auto fallback) {
    return chosen ? *chosen : next ? *next : fallback;
  };
  tune.strategy_options.seed = first(search.seed, file.seed, tune.strategy_options.seed);
  tune.strategy_options.passes = options.passes;
  tune.budget.evaluations =
      first(search.budget_evaluations, file.evaluations, default_budget(tune.strategy, space));
  tune.budget.seconds = first(search.budget_seconds, file.seconds, tune.budget.seconds);
  if (options.passes > 1 && tune.strategy != "exhaustive")
    throw UsageError(
        fmt::format("--passes {}: {} never revisits a point; use --strategy exhaustive",
                    options.passes, tune.strategy));
  tune.sampling = sampling_plan(options, record);
  return tune;
}

}  // namespace alsbench
