// SPDX-License-Identifier: Apache-2.0
// RunJournal: what a run has on disk, to go on from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/journal.h"
#include "harness/sweep/run_records.h"

namespace alsbench {

class RunJournal {
 public:
  // In place of a journal of that path. Throws as Journal::create.
  static RunJournal create(const std::filesystem::path& path, const RunHead& head);
  // Goes on from the journal, or creates it where there is none yet. Throws UsageError when it is
  // of another selection, saying in what it differs.
  static RunJournal resume(const std::filesystem::path& path, const RunHead& head);

  void add_device(const DeviceRecord& device);  // its first report is kept
  // In place of an earlier one of the same name and launch (from 0).
  void add_record(const CaseRecord& record, int64_t launch = 0);

  void finish() { journal_.finish(); }  // once the results are written

  std::optional<Outcome> known(const Case& c, Retry retry = Retry::none, int64_t launch = 0) const {
    return kept_.known(c, retry, launch);
  }
  const RunRecords& kept() const { return kept_; }

 private:
  RunJournal(Journal journal, RunRecords kept)
      : journal_(std::move(journal)), kept_(std::move(kept)) {}

  Journal journal_;
  RunRecords kept_;
};

}  // namespace alsbench
