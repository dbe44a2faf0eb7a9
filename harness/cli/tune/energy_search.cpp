// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/energy_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/cli/text_table.h"

namespace alsbench {
namespace {

std::string role_of(const PointEnergy& point, const EnergyFront& front,
                    const std::string& default_point) {
  std::string role;
  const auto add = [&](bool has, const char* text) {
    if (has) role += (role.empty() ? "" : ", ") + std::string(text);
  };
  add(&point == &front.points.front(), "fastest");
  add(&point == &front.thriftiest(), "least energy");
  add(front.objective == SearchObjective::energy && point.on_front, "front");
  add(point.point.text() == default_point, "default");
  return role;
}

std::string source_text(const EnergyRecord& energy) {
  return fmt::format("energy {}, which had a new value every {:.0f} ms in windows of {:.1f} s\n",
                     energy.source == EnergySource::counter ? "by the device's own counter"
                                                            : "by samples of the device's power",
                     energy.resolution_seconds * 1e3, energy.window_seconds);
}

}  // namespace

void require_energy(const SearchSpace& space, TuningWorker& worker, const std::string& part) {
  const SearchPoint& point = space[space.default_point()];
  try {
    worker.energy(worker.case_of(*point.variant, point.config, part));
  } catch (const WorkerFailure&) {
    // The default fails, and the search will say so.
  }
}

EnergyFront measure_front(SearchObjective objective, const TuningResult& result,
                          const SearchSpace& space, TuningWorker& worker, const std::string& part) {
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

std::string energy_table(const EnergyFront& front, const std::string& default_point) {
  if (front.points.empty()) return "no point's energy could be measured\n";
  TextTable table({"point", "median ms", "mJ", "W", "of the fastest's energy", ""});
  std::vector<const PointEnergy*> rows;
  for (const PointEnergy& point : front.points)
    if (front.objective == SearchObjective::energy || point.on_front ||
        point.point.text() == default_point)
      rows.push_back(&point);
  if (front.objective == SearchObjective::energy)
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
      return a->energy.joules < b->energy.joules;
    });
  const double fastest = front.points.front().energy.joules;
  for (const PointEnergy* point : rows)
    table.add({point->point.text(), fmt::format("{:.4g}", point->seconds * 1e3),
               fmt::format("{:.4g}", point->energy.joules * 1e3),
               fmt::format("{:.0f}", point->energy.watts),
               fmt::format("{:.2f}x", point->energy.joules / fastest),
               role_of(*point, front, default_point)});
  return table.text() + source_text(front.points.front().energy);
}

}  // namespace alsbench
