// SPDX-License-Identifier: Apache-2.0
// History: an append-only folder with one small file a run. A file holds the medians of a result
// and those of its controls. history_shifts.h looks for shifts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/result.h"

namespace alsbench {

// One case of a run, in one cache mode.
struct HistoryPoint {
  std::string name;            // "hermitian/naive/cuda/.../cold"
  std::string device, driver;  // class: "NVIDIA H200", "580.159.04"; no driver on the CPU
  double seconds = 0;          // median; of a training, of all iterations
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

// The cases of a result that are ok. Throws UsageError where there is none.
HistoryRun history_run_of(const ResultDocument& result, const std::string& source);

// Writes the run under a name made of its time and content, and returns the name. A run that is
// already there is left as it is.
std::string add_to_history(const std::filesystem::path& folder, const HistoryRun& run);

// Every run, in order of time. Each file has a checksum. Throws BaselineError naming a file that is
// damaged or of another schema, and where the folder is missing or empty.
std::vector<HistoryRun> read_history(const std::filesystem::path& folder);

}  // namespace alsbench
