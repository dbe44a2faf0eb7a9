// SPDX-License-Identifier: Apache-2.0
// Tables of case records: one row a measurement, for --md and exports.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/result_rows.h"

namespace alsbench {

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
