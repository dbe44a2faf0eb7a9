// SPDX-License-Identifier: Apache-2.0
#include "harness/record/result_rows.h"

#include <cmath>

namespace alsbench {

bool ResultRow::trained() const {
  return record->ok() && record->training && !record->training->first().iterations.empty();
}

double ResultRow::seconds() const {
  if (timed()) return measurement->statistics.median;
  return trained() ? record->training->first().seconds() : 0;
}

std::vector<ResultRow> rows_of(const CaseRecord& record) {
  std::vector<ResultRow> rows;
  for (const CacheMode mode : kCacheModes)
    if (const auto& measurement = record.of(mode))
      rows.push_back(
          {record.name + "/" + std::string(name_of(mode)), mode, &record, &*measurement});
  if (rows.empty()) rows.push_back({record.name, std::nullopt, &record, nullptr});
  return rows;
}

std::vector<ResultRow> rows_of(const std::vector<CaseRecord>& cases) {
  std::vector<ResultRow> rows;
  for (const CaseRecord& record : cases)
    for (ResultRow& row : rows_of(record)) rows.push_back(std::move(row));
  return rows;
}

TrainedRow trained_of(const ResultRow& row) {
  const TrainingRecord& training = *row.record->training;
  const double last = training.first().iterations.back().test_metric;
  return {training.metric, training.first().iterations.size(), training.first().seconds(),
          std::isfinite(last) ? std::optional(last) : std::nullopt};
}

std::string reason_of(const ResultRow& row) { return row.record->ok() ? "" : row.record->detail; }

}  // namespace alsbench
