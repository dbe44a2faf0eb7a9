// SPDX-License-Identifier: Apache-2.0
// https://github.com/benchmark-action/github-action-benchmark, tool customSmallerIsBetter: one
// median a row.
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {

std::string to_github_action(const ResultDocument& result) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const std::string& unit, double value,
                       const std::string& range, const std::string& extra) {
    Json entry{{"name", name}, {"unit", unit}, {"value", value}};
    if (!range.empty()) entry["range"] = range;
    entry["extra"] = extra;
    list.push_back(std::move(entry));
  };
  for (const ResultRow& row : rows_of(result.cases)) {
    if (row.timed()) {
      const Statistics& statistics = row.measurement->statistics;
      const double half_range = (statistics.q3 - statistics.q1) / 2;
      add(row.name, "ms", statistics.median * 1e3, fmt::format("\u00b1 {:.4g}", half_range * 1e3),
          fmt::format("median of {} samples, half the interquartile range", statistics.count));
    }
    if (row.trained()) {
      const TrainedRow trained = trained_of(row);
      const std::string iterations = fmt::format("{} iterations", trained.iterations);
      add(row.name + "/seconds", "s", trained.seconds, "", iterations);
      if (trained.test_metric)
        add(row.name + "/test_" + trained.metric, upper_case(trained.metric), *trained.test_metric,
            "", iterations);
    }
  }
  return list.dump(2) + "\n";
}

}  // namespace alsbench
