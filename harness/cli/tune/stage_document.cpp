// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/stage_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "harness/cli/text_table.h"
#include "harness/process/exit_code.h"
#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

constexpr std::string_view kTuningSchemaVersion = "1.3.0";

Json budget_json(const Budget& budget) {
  return {{"evaluations", budget.evaluations}, {"seconds", json_of(budget.seconds)}};
}

void print_failures(const TuningResult& result, const SearchSpace& space) {
  for (const Evaluation& evaluation : result.points)
    if (evaluation.outcome != Outcome::ok)
      fmt::print(stderr, "  {}: {}: {}\n", name_of(evaluation.outcome),
                 space[evaluation.point].text(),
                 evaluation.detail.substr(0, evaluation.detail.find('\n')));
}

void print_summary(const TuningResult& result, const SearchSpace& space) {
  const double total = std::max(result.elapsed_seconds, 1e-9);
  fmt::print(stderr,
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

Json document_of(const TuningHead& head, const TuneOptions& tune, const TuningResult& result,
                 const SearchSpace& space, const Objective& objective) {
  Json json{{"$schema", "../schema/tuning.schema.json"},
            {"schema_version", kTuningSchemaVersion},
            {"kind", "tuning"},
            {"provenance", to_json(head.provenance)},
            {"replay_of", nullptr},
            {"device", to_json(head.device)},
            {"shape", to_json(head.shape)},
            {"search", to_json(head.search)},
            {"budget", budget_json(tune.budget)},
            {"result", to_json(result, space)}};
  json["result"]["share_of_roof"] =
      json_of(objective.share_of_roof(result.best, result.best_seconds));
  return json;
}

void print_space(const SearchSpace& space) {
  fmt::print("{} points, {} valid, {} pruned\n", space.total(), space.size(),
             space.total() - static_cast<int64_t>(space.size()));
  constexpr size_t kMostObjections = 8;
  const auto& pruned = space.pruned();
  for (size_t i = 0; i < std::min(pruned.size(), kMostObjections); ++i)
    fmt::print("{}", fitting(fmt::format("  {:6}  {}\n", pruned[i].second, pruned[i].first), 10));
  TextTable table({"dimension", "values"});
  for (const Dimension& dimension : space.dimensions())
    table.add({dimension.name, fmt::format("{}", fmt::join(dimension.values, ", "))});
  fmt::print("\n{}\n{}", table.text(),
             fitting(fmt::format("default: {}\n", space[space.default_point()].text())));
}

void print_search(const TuningResult& result, const SearchSpace& space,
                  const TuneTargets& targets) {
  print_failures(result, space);
  print_summary(result, space);
  if (!targets.json_on_stdout) fmt::print(stderr, "results in {}\n", targets.json.string());
}

int exit_code_of(const TuningResult& result) {
  if (result.found) return kExitOk;
  fmt::print(stderr, "alsbench: no point of the space could be measured\n");
  return kExitCasesFailed;
}

}  // namespace alsbench
