// SPDX-License-Identifier: Apache-2.0
// The rows of a result, which tables and exports go through, so all of them name and count the
// same; and tables of them, for --md.
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

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// For people: times in ms, rates in GFLOP/s and GB/s, shares in %, and a column a parameter.
Table summary_table(const std::vector<CaseRecord>& cases);
// Leaves out columns that are empty, and of several rows those that are the same in all, but never
// the first two. Returns what the latter have, "outcome ok; factors fp32", or "".
std::string leave_out_constant_columns(Table& table);
// How many times other work disturbed, "3 medians and 1 training"; "" for none.
std::string disturbed_text(const std::vector<CaseRecord>& cases);
// The note at the end of a row: how it converged, or why it is not ok.
std::string note_of(const ResultRow& row);

// The column of the share of processors or of a GPU that other work took. Its cell is "48 %" of a
// disturbed median, and empty of others.
inline constexpr std::string_view kTakenByOthers = "taken by others";
std::string taken_cell(const MeasurementRecord& measured);

// "python3 (1234) 97 %, process 1240 3 %": a process without a name has its id alone.
std::string text_of(const std::vector<DeviceUse>& uses);

// A median in ms. One that other work disturbed has two digits and the mark "!"; "" for none.
std::string milliseconds_cell(double seconds, bool disturbed);
// A ratio of times as a change in %, without decimals where a side is disturbed.
std::string change_cell(double ratio, bool disturbed);
// "dram", or "~dram" where it is predicted; "" where nothing is known.
std::string bound_cell(const MeasurementRecord& measured);

std::string to_markdown(const Table& table);
std::string to_csv(const Table& table);  // RFC 4180

}  // namespace alsbench
