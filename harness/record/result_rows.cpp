#include "harness/record/result_rows.h"

#include "harness/record/result.h"

namespace alsbench {

bool ResultRow::trained() const {
  return outcome == Outcome::ok && record->contains("training") &&
         (*record)["training"].is_object() && !(*record)["training"]["iterations"].empty();
}

double ResultRow::statistic(const char* key) const {
  const Json& statistics = measurement->at("statistics");
  const auto found = statistics.find(key);
  return found != statistics.end() && found->is_number() ? found->get<double>() : 0;
}

std::vector<ResultRow> rows_of(const std::vector<Json>& cases) {
  std::vector<ResultRow> rows;
  for (const Json& record : cases) {
    const std::string name = record.at("name");
    const Outcome outcome = outcome_of(record);
    bool measured = false;
    for (const char* mode : {"cold", "hot"}) {
      if (!record.contains(mode) || !record[mode].is_object()) continue;
      if (!record[mode].at("statistics").is_object()) continue;
      rows.push_back({name + "/" + mode, mode, outcome, &record, &record[mode]});
      measured = true;
    }
    if (!measured) rows.push_back({name, "", outcome, &record, nullptr});
  }
  return rows;
}

double training_seconds(const ResultRow& row) {
  double seconds = 0;
  for (const Json& iteration : row.record->at("training").at("iterations"))
    seconds += iteration.at("seconds").at("total").get<double>();
  return seconds;
}

Json last_test_rmse(const ResultRow& row) {
  return row.record->at("training").at("iterations").back().at("test_rmse");
}

std::string reason_of(const ResultRow& row) {
  if (row.outcome == Outcome::ok || !row.record->contains("detail")) return "";
  const Json& detail = (*row.record)["detail"];
  return detail.is_string() ? detail.get<std::string>() : "";
}

}  // namespace alsbench
