// SPDX-License-Identifier: Apache-2.0
// HistoryDocument: the series of a history and their shifts, as `alsbench history --json` writes
// them.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/history_shifts.h"

namespace alsbench {

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
  double ratio = 1, ratio_low = 0, ratio_high = 0;  // after / before
  double adjusted_p = 1;
  std::string note = {};

  bool to_explain() const { return state == ShiftState::alarm || state == ShiftState::expired; }
};

// A run without its points.
struct HistoryEntry {
  std::string file, time_utc, git_commit, suite;
};

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
