// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/history_document.h"

#include <utility>

#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<ShiftFinding>& fields) {
  fields.record("shift", "A lasting change of a series.");
  fields("state", &ShiftFinding::state);
  fields("series", &ShiftFinding::series, "index in series");
  fields("run", &ShiftFinding::run, "index in runs: the first after the shift");
  fields("ratio", &ShiftFinding::ratio, "after / before").range(Range::Kind::above_0);
  fields("ratio_low", &ShiftFinding::ratio_low);
  fields("ratio_high", &ShiftFinding::ratio_high);
  fields("adjusted_p", &ShiftFinding::adjusted_p).range(Range::Kind::share);
  fields("note", &ShiftFinding::note);
}

void describe(Fields<HistoryEntry>& fields) {
  fields.record("history_entry", "A result file of a history.");
  fields("file", &HistoryEntry::file);
  fields("time_utc", &HistoryEntry::time_utc);
  fields("git_commit", &HistoryEntry::git_commit);
  fields("suite", &HistoryEntry::suite);
}

void describe(Fields<HistorySeries>& fields) {
  fields.record("series", "A case on one class of device with one driver, over the runs.");
  fields("name", &HistorySeries::name);
  fields("device", &HistorySeries::device);
  fields("driver", &HistorySeries::driver);
  fields("controls", &HistorySeries::controls);
  fields("runs", &HistorySeries::runs, "indices in runs");
  fields("ratio_to_controls", &HistorySeries::ratio, "one a run");
}

void describe(Fields<HistoryDocument>& fields) {
  fields.record("", "Series and shifts of a history: `alsbench history DIR --json`.");
  describe_document(fields, "history");
  fields("runs", &HistoryDocument::runs, "in the order of time");
  fields("series", &HistoryDocument::series);
  fields("shifts", &HistoryDocument::shifts);
}

HistoryDocument document_of(const std::vector<HistoryRun>& runs, std::vector<HistorySeries> series,
                            std::vector<ShiftFinding> shifts) {
  HistoryDocument document{{}, std::move(series), std::move(shifts)};
  for (const HistoryRun& run : runs)
    document.runs.push_back({run.file, run.time_utc, run.git_commit, run.suite});
  return document;
}

}  // namespace alsbench
