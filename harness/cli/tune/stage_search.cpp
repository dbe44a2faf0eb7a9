// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/stage_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/files/gzip.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"

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

void print_failures(const TuningResult& result, const SearchSpace& space) {
  for (const Evaluation& evaluation : result.points)
    if (evaluation.outcome != Outcome::ok)
      print_message("  {}: {}: {}\n", name_of(evaluation.outcome), space[evaluation.point].text(),
                    evaluation.detail.substr(0, evaluation.detail.find('\n')));
}

void print_summary(const TuningResult& result, const SearchSpace& space) {
  const double total = std::max(result.elapsed_seconds, 1e-9);
  print_message(
      "{} of {} points in {:.1f} s: measuring {:.0f} %, preparing {:.0f} %, waiting for the "
      "compiler {:.0f} %\n",
      result.evaluations, space.size(), result.elapsed_seconds,
      100 * result.measure_seconds / total, 100 * result.prepare_seconds / total,
      100 * result.wait_seconds / total);
}

}  // namespace

void add_space_search_options(CLI::App& command, SpaceSearchOptions& options) {
  command.add_option("--space", options.space_file,
                     "JSON file with space, search and budget in kernel_tuner's T1 format");
  add_checked(command, "--min-samples", options.min_samples, above_zero(),
              "Samples of every point (3)");
  add_checked(command, "--max-samples", options.max_samples, above_zero(),
              "Samples of contenders (9)");
  add_checked(command, "--bail-out", options.bail_out, zero_or_more(),
              "Stop sampling a point this many times slower than the best (default 2; 0: never)");
  add_checked(command, "--playoff-samples", options.playoff_samples, zero_or_more(),
              "Interleaved samples of every finalist (default 11; 0: no playoff)");
  add_checked(command, "--passes", options.passes, above_zero(),
              "Passes over all points with exhaustive, interleaved");
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

void set_search(TuningSearch& search, const SearchSpace& space, const TuneOptions& tune) {
  search.space = space.summary();
  search.sampling = tune.sampling;
  search.strategy = tune.strategy;
  search.passes = tune.strategy_options.passes;
  search.seed = tune.strategy_options.seed;
}

TuningDocument document_of(const TuningHead& head, const TuneOptions& tune,
                           const TuningResult& result, const SearchSpace& space,
                           const Objective& objective) {
  const std::optional<double> share = objective.share_of_ceiling(result.best, result.best_seconds);
  TuningDocument document;
  document.provenance = *head.provenance;
  document.device = head.device;
  document.shape = head.shape;
  document.search = head.search;
  document.budget = tune.budget;
  document.result.result = record_of(result, space);
  document.result.share_of_ceiling = share.value_or(std::numeric_limits<double>::quiet_NaN());
  return document;
}

void print_space(const SearchSpace& space) {
  fmt::print("{} points, {} valid, {} pruned\n", space.total(), space.size(),
             space.total() - static_cast<int64_t>(space.size()));
  constexpr size_t kMaxObjections = 8;
  const auto& pruned = space.pruned();
  for (size_t i = 0; i < std::min(pruned.size(), kMaxObjections); ++i)
    fmt::print("{}", wrapped_to_terminal(
                         fmt::format("  {:6}  {}\n", pruned[i].second, pruned[i].first), 10));
  TextTable table({"dimension", "values"});
  for (const Dimension& dimension : space.dimensions())
    table.add({dimension.name, fmt::format("{}", fmt::join(dimension.values, ", "))});
  fmt::print(
      "\n{}\n{}", table.text(),
      wrapped_to_terminal(fmt::format("default: {}\n", space[space.default_point()].text())));
}

void print_search(const TuningResult& result, const SearchSpace& space,
                  const TuneTargets& targets) {
  print_failures(result, space);
  print_summary(result, space);
  if (!targets.json_on_stdout) print_message("results in {}\n", targets.json.string());
}

int exit_code_of(const TuningResult& result) {
  if (result.found) return kExitOk;
  const auto failed =
      std::ranges::find_if(result.points, [](const Evaluation& e) { return !e.ok(); });
  const std::string why =
      failed == result.points.end()
          ? ""
          : fmt::format("; the first: {}: {}", name_of(failed->outcome), failed->detail);
  print_message("alsbench: no point of the space could be measured{}\n", printable(why));
  return kExitCasesFailed;
}

}  // namespace alsbench
