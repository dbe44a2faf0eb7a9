// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/finalists.h"

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

std::string label_of(const PointRecord& point) { return point.text(); }
std::string label_of(const std::vector<PipelineRecord>& pipelines) {
  std::string text;
  for (const PipelineRecord& pipeline : pipelines)
    text += (text.empty() ? "" : " | ") + text_of(pipeline.steps);
  return text;
}

template <typename Item>
std::string role_of(const ItemEnergy<Item>& point, const EnergyFront<Item>& front,
                    const std::string& fallback) {
  std::string role;
  const auto add = [&](bool has, const char* text) {
    if (has) role += (role.empty() ? "" : ", ") + std::string(text);
  };
  add(&point == &front.points.front(), "fastest");
  add(&point == &front.thriftiest(), "least energy");
  add(front.objective == SearchObjective::energy && point.on_front, "front");
  add(label_of(point.item) == fallback, "default");
  return role;
}

std::string source_text(const EnergyRecord& energy) {
  return fmt::format("energy {}, which had a new value every {:.0f} ms in windows of {:.1f} s\n",
                     energy.source == EnergySource::counter ? "by the device's own counter"
                                                            : "by samples of the device's power",
                     energy.resolution_seconds * 1e3, energy.window_seconds);
}

// `head`: of the column that names the items.
template <typename Item>
std::string table_of(const EnergyFront<Item>& front, const char* head,
                     const std::string& fallback) {
  if (front.points.empty()) return fmt::format("no {}'s energy could be measured\n", head);
  TextTable table({head, "ms", "mJ", "W", "of the fastest's energy", ""});
  std::vector<const ItemEnergy<Item>*> rows;
  for (const auto& point : front.points)
    if (front.objective == SearchObjective::energy || point.on_front ||
        label_of(point.item) == fallback)
      rows.push_back(&point);
  if (front.objective == SearchObjective::energy)
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
      return a->energy.joules < b->energy.joules;
    });
  const double fastest = front.points.front().energy.joules;
  for (const auto* point : rows)
    table.add({label_of(point->item), fmt::format("{:.4g}", point->seconds * 1e3),
               fmt::format("{:.4g}", point->energy.joules * 1e3),
               fmt::format("{:.0f}", point->energy.watts),
               fmt::format("{:.2f}x", point->energy.joules / fastest),
               role_of(*point, front, fallback)});
  return table.text() + source_text(front.points.front().energy);
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

void require_energy(const SearchSpace& space, TuningWorker& worker, const std::string& part) {
  const SearchPoint& point = space[space.default_point()];
  try {
    worker.energy(worker.case_of(*point.variant, point.config, part));
  } catch (const WorkerFailure&) {
    // The default fails, and the search will say so.
  }
}

PointEnergyFront measure_front(SearchObjective objective, const TuningResult& result,
                               const SearchSpace& space, TuningWorker& worker,
                               const std::string& part) {
  std::vector<PointEnergy> points;
  for (const size_t i : energy_candidates(result, space)) {
    const SearchPoint& point = space[i];
    const auto found = std::find_if(result.points.begin(), result.points.end(),
                                    [&](const Evaluation& e) { return e.point == i; });
    try {
      points.push_back({point.record(), found->median(),
                        worker.energy(worker.case_of(*point.variant, point.config, part))});
    } catch (const WorkerFailure&) {
      // It ran before; without its energy it is on no front.
    }
  }
  return energy_front(objective, std::move(points));
}

std::string energy_table(const PointEnergyFront& front, const std::string& default_point) {
  return table_of(front, "point", default_point);
}

std::string energy_table(const RecipeEnergyFront& front, const std::string& default_recipe) {
  return table_of(front, "recipe", default_recipe);
}

}  // namespace alsbench
