// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/finalist_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/cli/text_table.h"
#include "harness/sweep/bounds.h"

namespace alsbench {
namespace {

std::string busy_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.0f}%", 100 * share) : "";
}

StepRecord record_of(const PipelineStep& step) { return records_of({step}).front(); }

CountedStep count_step(const PipelineStep& step, TuningWorker& worker, const std::string& part) {
  const Case c = worker.case_of(*step.variant, step.config, part);
  CountersRecord counters = worker.count(c, CacheMode::cold);
  return {record_of(step), measured_bound(counters), std::move(counters)};
}

}  // namespace

std::vector<CountedStep> count_finalists(const TuningResult& result, const SearchSpace& space,
                                         TuningWorker& worker, const std::string& part) {
  if (!result.found) return {};
  std::vector<size_t> points{result.best};
  std::copy_if(result.finalists.begin(), result.finalists.end(), std::back_inserter(points),
               [&](size_t point) { return point != result.best; });
  std::vector<CountedStep> counted;
  for (const size_t point : points)
    counted.push_back(count_step({space[point].variant, space[point].config}, worker, part));
  return counted;
}

std::vector<CountedStep> count_finalists(const PipelineTuning& tuning, const PartChoice& choice,
                                         TuningWorker& worker) {
  std::vector<CountedStep> counted;
  const auto count = [&](const Pipeline& pipeline) {
    for (const PipelineStep& step : pipeline.steps) {
      const StepRecord record = record_of(step);
      const auto same = [&](const CountedStep& one) { return one.step == record; };
      if (std::none_of(counted.begin(), counted.end(), same))
        counted.push_back(count_step(step, worker, choice.part));
    }
  };
  count(choice.pick);
  for (const Contender& contender : tuning.playoff) {
    const Pipeline& pipeline = contender.pipelines.of(choice.part);
    const auto same = [&](const Pipeline& tie) { return tie.text() == pipeline.text(); };
    if (std::any_of(choice.ties.begin(), choice.ties.end(), same)) count(pipeline);
  }
  count(choice.fallback);
  return counted;
}

std::string counters_table(const std::vector<CountedStep>& steps) {
  TextTable table({"step", "bound by", "tensor", "fp32", "l1", "l2", "dram", "issue", "occupancy",
                   "top stall"});
  for (const auto& [step, bound, counters] : steps) {
    const std::string text = text_of({step});
    if (counters.refusal) {
      table.add({text, fmt::format("no counters ({}): {}; {}", name_of(counters.refusal->why),
                                   counters.refusal->detail, counters.refusal->remedy)});
      continue;
    }
    const Counters all = sum_of(counters.kernels);
    table.add({text, bound ? std::string(name_of(bound->by)) : "", busy_text(all.tensor),
               busy_text(all.fp32), busy_text(all.l1), busy_text(all.l2), busy_text(all.dram),
               busy_text(all.issue), busy_text(all.occupancy),
               all.stalls.empty() ? "" : all.stalls.front().reason});
  }
  return table.text();
}

}  // namespace alsbench
