// https://github.com/benchmark-action/github-action-benchmark, tool customSmallerIsBetter: one
// median a row.
#include <fmt/format.h>

#include "harness/record/export/export.h"
#include "harness/record/result_rows.h"

namespace alsbench {

std::string to_github_action(const ResultDocument& result) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const char* unit, const Json& value,
                       const std::string& range, const std::string& extra) {
    Json entry{{"name", name}, {"unit", unit}, {"value", value}};
    if (!range.empty()) entry["range"] = range;
    entry["extra"] = extra;
    list.push_back(std::move(entry));
  };
  for (const ResultRow& row : rows_of(result.cases)) {
    if (row.timed()) {
      const double half_range = (row.statistic("q3_seconds") - row.statistic("q1_seconds")) / 2;
      add(row.name, "ms", row.statistic("median_seconds") * 1e3,
          fmt::format("\u00b1 {:.4g}", half_range * 1e3),
          fmt::format("median of {:.0f} samples, half the interquartile range",
                      row.statistic("count")));
    }
    if (row.trained()) {
      const std::string iterations =
          fmt::format("{} iterations", row.record->at("training").at("iterations").size());
      add(row.name + "/seconds", "s", training_seconds(row), "", iterations);
      if (const Json rmse = last_test_rmse(row); rmse.is_number())
        add(row.name + "/test_rmse", "RMSE", rmse, "", iterations);
    }
  }
  return list.dump(2) + "\n";
}

}  // namespace alsbench
