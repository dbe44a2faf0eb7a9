// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/finalist_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/cli/text_table.h"
#include "harness/sweep/bounds.h"

namespace alsbench {
namespace {

std::string busy_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.0f}%", 100 * share) : "";
}

}  // namespace

std::vector<CountedPoint> count_finalists(const TuningResult& result, const SearchSpace& space,
                                          TuningWorker& worker, const std::string& part) {
  if (!result.found) return {};
  std::vector<size_t> points{result.best};
  std::copy_if(result.finalists.begin(), result.finalists.end(), std::back_inserter(points),
               [&](size_t point) { return point != result.best; });
  std::vector<CountedPoint> counted;
  for (const size_t point : points) {
    const Case c = worker.case_of(*space[point].variant, space[point].config, part);
    counted.push_back({space[point].text(), worker.count(c, CacheMode::cold)});
  }
  return counted;
}

std::vector<CountedPoint> count_finalists(const PipelineTuning& tuning, const PartChoice& choice,
                                          TuningWorker& worker) {
  std::vector<CountedPoint> counted;
  const auto count = [&](const Pipeline& pipeline) {
    for (const PipelineStep& step : pipeline.steps) {
      const std::string text = text_of(step);
      const auto same = [&](const CountedPoint& one) { return one.text == text; };
      if (std::any_of(counted.begin(), counted.end(), same)) continue;
      const Case c = worker.case_of(*step.variant, step.config, choice.part);
      counted.push_back({text, worker.count(c, CacheMode::cold)});
    }
  };
  count(choice.pick);
  for (const Contender& contender : tuning.playoff) {
    const Pipeline& pipeline = contender.pipelines.of(choice.part);
    const auto& ties = choice.ties;
    if (std::find(ties.begin(), ties.end(), pipeline.text()) != ties.end()) count(pipeline);
  }
  count(choice.fallback);
  return counted;
}

Json to_json(const std::vector<CountedPoint>& points, const std::string& what) {
  Json list = Json::array();
  for (const CountedPoint& one : points)
    list.push_back({{what, one.text},
                    {"bound", json_or_null(measured_bound(one.counters))},
                    {"counters", to_json(one.counters)}});
  return list;
}

std::string counters_table(const std::vector<CountedPoint>& points, const std::string& what) {
  TextTable table(
      {what, "bound by", "tensor", "fp32", "l1", "l2", "dram", "issue", "occupancy", "top stall"});
  for (const auto& [text, counters] : points) {
    if (counters.refusal) {
      table.add({text, fmt::format("no counters ({}): {}; {}", name_of(counters.refusal->why),
                                   counters.refusal->detail, counters.refusal->remedy)});
      continue;
    }
    const Counters all = sum_of(counters.kernels);
    const auto bound = measured_bound(counters);
    table.add({text, bound ? std::string(name_of(bound->by)) : "", busy_text(all.tensor),
               busy_text(all.fp32), busy_text(all.l1), busy_text(all.l2), busy_text(all.dram),
               busy_text(all.issue), busy_text(all.occupancy),
               all.stalls.empty() ? "" : all.stalls.front().reason});
  }
  return table.text();
}

}  // namespace alsbench
