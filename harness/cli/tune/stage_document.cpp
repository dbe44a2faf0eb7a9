// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/stage_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/message.h"
#include "harness/cli/text_table.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

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
  print_message("alsbench: no point of the space could be measured\n");
  return kExitCasesFailed;
}

}  // namespace alsbench
