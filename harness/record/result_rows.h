// SPDX-License-Identifier: Apache-2.0
// The rows of a result: what tables and exports go through, so all of them name and count the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"

namespace alsbench {

// A case in one cache mode, or a case that has no measurement (it failed, was skipped, or is a
// training run).
struct ResultRow {
  std::string name;  // the case's, with "/cold" or "/hot" where it was measured
  std::optional<CacheMode> mode;
  const CaseRecord* record = nullptr;
  const MeasurementRecord* measurement = nullptr;  // the record's of that mode, or null

  Outcome outcome() const { return record->outcome; }
  bool timed() const { return record->ok() && measurement != nullptr; }
  bool trained() const;  // has training iterations
  std::string mode_name() const { return mode ? std::string(name_of(*mode)) : ""; }
  // Of what was timed or trained: the median, or the seconds of all iterations; else 0.
  double seconds() const;
};

// The rows point into `cases`, which must outlive them.
std::vector<ResultRow> rows_of(const std::vector<CaseRecord>& cases);
std::vector<ResultRow> rows_of(const CaseRecord& record);

// Of a row that was trained: what its iterations came to.
struct TrainedRow {
  std::string metric;
  size_t iterations = 0;
  double seconds = 0;
  std::optional<double> test_metric;  // after the last one; nothing without test ratings
};
TrainedRow trained_of(const ResultRow& row);

// Why the row is not ok, or "".
std::string reason_of(const ResultRow& row);

}  // namespace alsbench
