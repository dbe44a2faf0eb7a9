// SPDX-License-Identifier: Apache-2.0
// Shifts in a history: runs from which on the time of a case, relative to its controls, has
// changed. Also those that people have accepted. docs/explanation/ci.md has the method.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/change_points.h"
#include "harness/judge/history.h"

namespace alsbench {

// One case in one unit on one class of device with one driver, over the runs that have it.
struct HistorySeries {
  std::string name, device, driver, controls;
  Quantity quantity = {};
  std::vector<size_t> runs = {};   // indices of the runs, in order of time
  std::vector<double> ratio = {};  // seconds / control_seconds of each
};

std::vector<HistorySeries> series_of(const std::vector<HistoryRun>& runs);

// A change between two runs of a series, or a creep.
struct Shift {
  size_t series = 0;  // index
  size_t at = 0;      // index in its runs: the first run after the shift
  double ratio = 1, ratio_low = 0, ratio_high = 0;  // after / before, with the interval
  double adjusted_p = 1;
  // Of a creep, the sum of small changes: the index of the run that the last may come with. The
  // first may come with `at`.
  std::optional<size_t> creep_last = {};
  bool slower() const { return ratio > 1; }
};

// Series of one length that are too short for a shift to be told at each of their places.
struct ShortSeries {
  size_t runs = 0;
  std::vector<size_t> series = {};  // indices
  // The first runs after the shifts that can be told; both 0: there is none.
  size_t first_place = 0, last_place = 0;
};

struct ShiftSearch {
  std::vector<Shift> shifts;           // by series, then by time
  int64_t places = 0;                  // at which one could be told
  int64_t runs_needed = 0;             // of a series, to tell a shift at any place
  std::vector<ShortSeries> too_short;  // of the series that go on; the shortest first
  bool any_testable = false;           // one of the series that go on is long enough
};

// The change points of each series. A series has any where the p of its clearest, over all of its
// places, holds against Benjamini and Hochberg's adjustment over all series.
ShiftSearch find_shifts(const std::vector<HistorySeries>& series, const ChangeRules& rules);

// A shift that people looked at and accept, until a day.
struct AcceptedShift {
  std::string name;             // of the case; a trailing * stands for any ending
  std::string device;           // class; empty: any
  std::string from, to;         // times of the first run after the shift: from <= time <= to
  double max_ratio = 1;         // the largest accepted one
  std::string reason, expires;  // expires: "2026-12-31", the last day
};

// A file that people write.
struct AcceptedShifts {
  std::vector<AcceptedShift> shifts;
};

void describe(Fields<AcceptedShift>& fields);
void describe(Fields<AcceptedShifts>& fields);

// Throws UsageError naming file, entry and field.
std::vector<AcceptedShift> read_accepted_shifts(const std::filesystem::path& path);

// The one of the list that accepts the shift, or null.
const AcceptedShift* accepted_by(const std::vector<AcceptedShift>& list,
                                 const HistorySeries& series, const Shift& shift,
                                 const std::string& time_utc);
// Whether `today` ("2026-12-31", or a time of that day) lies behind the last day.
bool expired(const AcceptedShift& accepted, const std::string& today);

enum class ShiftState { faster, alarm, accepted, expired };
constexpr auto enum_names(ShiftState) {
  return std::to_array<EnumName<ShiftState>>({{ShiftState::faster, "faster"},
                                              {ShiftState::alarm, "alarm"},
                                              {ShiftState::accepted, "accepted"},
                                              {ShiftState::expired, "expired"}});
}

// A shift with what is to be said of it.
struct ShiftFinding {
  ShiftState state = ShiftState::alarm;
  size_t series = 0;  // index
  size_t run = 0;     // index in the runs of the history: the first after the shift
  std::optional<int64_t> creep_last_run = {};       // of a creep: that of `creep_last`
  double ratio = 1, ratio_low = 0, ratio_high = 0;  // after / before
  double adjusted_p = 1;
  std::string note = {};

  bool to_explain() const { return state == ShiftState::alarm || state == ShiftState::expired; }
};

// A run without its points.
struct HistoryEntry {
  std::string file, time_utc, git_commit, suite;
};

// The series of a history and their shifts, as `alsbench history --json` writes them.
struct HistoryDocument {
  std::vector<HistoryEntry> runs;
  std::vector<HistorySeries> series;
  std::vector<ShiftFinding> shifts;
};

void describe(Fields<ShiftFinding>& fields);
void describe(Fields<HistoryEntry>& fields);
void describe(Fields<HistorySeries>& fields);
void describe(Fields<HistoryDocument>& fields);

HistoryDocument document_of(const std::vector<HistoryRun>& runs, std::vector<HistorySeries> series,
                            std::vector<ShiftFinding> shifts);

}  // namespace alsbench
