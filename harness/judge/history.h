// SPDX-License-Identifier: Apache-2.0
// History: an append-only folder with one small file a run. A file holds the medians of a result
// and those of its controls. history_shifts.h looks for shifts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/comparison_input.h"
#include "harness/record/result.h"

namespace alsbench {

// One case of a run, in one cache mode.
struct HistoryPoint {
  std::string name;            // "hermitian/naive/cuda/.../cold"
  std::string device, driver;  // class: "NVIDIA H200", "580.159.04"; no driver on the CPU
  // Median; of a training, of all iterations. Of another quantity than time its cost: the value, or
  // where more is better the inverse.
  double seconds = 0;
  Quantity quantity = {};
  // The ceilings measured interleaved with the case, in its cache mode: what they are, and the
  // geometric mean of their medians. No controls: "" and 1 s.
  std::string controls;
  double control_seconds = 1;
};

struct HistoryRun {
  std::string file;  // its name in the folder
  std::string time_utc, git_commit, suite;
  std::vector<HistoryPoint> points;
  std::string checksum = {};  // of the rest of its document
};

void describe(Fields<HistoryPoint>& fields);
void describe(Fields<HistoryRun>& fields);

// Whether the text is a day of the calendar, written as 2026-12-31.
bool is_day(const std::string& text);
// Whether it is a time of such a day, written as 2026-12-31T12:00:00Z: it becomes part of a file's
// name.
bool is_utc_time(const std::string& text);

// The cases of a result that are ok. Throws UsageError where there is none.
HistoryRun history_run_of(const ResultDocument& result, const std::string& source);

// Where measurements of programs of others come from, beside what their file says. What is given
// counts in place of that.
struct RunOrigin {
  std::string source;     // file, for messages
  std::string file_time;  // UTC; counts where neither the file nor `time_utc` says one
  std::string time_utc = {}, git_commit = {};
  std::string machine = {}, driver = {};  // class of all points
};
// The cases of a launch or of launches, each the median of its launches. Throws UsageError where
// there is none.
HistoryRun history_run_of(const ComparisonInput& input, const RunOrigin& origin);
// The test side of `ab` of programs, whose commit it names. Throws UsageError where it is none.
HistoryRun history_run_of(const ComparisonDocument& document, const RunOrigin& origin);

// Writes the run under a name made of its time and content, and returns the name. A run that is
// already there is left as it is.
std::string add_to_history(const std::filesystem::path& folder, const HistoryRun& run);

// Every run once, in order of time. Each file has a checksum. Throws BaselineError naming a file
// that is damaged or of another schema, and where the folder is missing or empty.
std::vector<HistoryRun> read_history(const std::filesystem::path& folder);

}  // namespace alsbench
