// The rows of a result: what tables and exports go through, so that all of them name and count the
// same.
#pragma once

#include <string>
#include <vector>

#include "harness/record/journal.h"
#include "harness/record/outcome.h"

namespace alsbench {

// A case in one cache mode, or a case that has no measurement (it failed, was skipped, or is a
// training run).
struct ResultRow {
  std::string name;  // the case's, with "/cold" or "/hot" where it was measured
  std::string mode;  // "cold", "hot" or ""
  Outcome outcome = Outcome::ok;
  const Json* record = nullptr;
  const Json* measurement = nullptr;  // the record's `cold` or `hot`, or null

  bool timed() const { return outcome == Outcome::ok && measurement != nullptr; }
  bool trained() const;  // has training iterations
  // Of the measurement: statistic("median_seconds"); 0 where it is null.
  double statistic(const char* key) const;
};

// The rows point into `cases`, which must outlive them.
std::vector<ResultRow> rows_of(const std::vector<Json>& cases);

// Of a row that was trained: seconds of all iterations, and the last test RMSE or null.
double training_seconds(const ResultRow& row);
Json last_test_rmse(const ResultRow& row);

// Why the row is not ok, or "".
std::string reason_of(const ResultRow& row);

}  // namespace alsbench
