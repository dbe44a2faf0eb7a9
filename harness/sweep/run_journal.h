// SPDX-License-Identifier: Apache-2.0
// RunJournal: what a run has on disk: what it was started with, its devices, and the record of each
// finished case.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/journal.h"
#include "harness/record/provenance.h"
#include "harness/record/suite_record.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

// What decides which measurement a case name stands for.
struct RunSelection {
  std::string suite_hash;
  std::optional<double> scale;  // where the command line names one, as is the next
  std::optional<uint64_t> seed;
  // Name of each device by id; nothing for one that is not there.
  std::vector<std::pair<std::string, std::optional<std::string>>> devices;
  StopRule sampling;
  int64_t launches = 1;
  double timeout_seconds = 0;
  bool profile = false, counters = false;
  BuildProvenance build;
};

// The first record of a run's journal. A run of another selection cannot go on from it.
struct RunHead {
  std::string suite;
  RunSelection selection;
  Provenance provenance;
};

// Whether a resumed run tries failed cases again. A hang would cost its time limit once more.
enum class Retry { none, failed };

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

  // The outcome of a case that needs no run in that launch: it was measured then in all its cache
  // modes, was skipped, or failed (then or in an earlier launch) and is not to be retried. Nothing
  // for any other.
  std::optional<Outcome> known(const Case& c, Retry retry = Retry::none, int64_t launch = 0) const;

  size_t size() const { return records_.size(); }
  std::vector<CaseRecord> records() const;  // the launches of a case merged
  std::vector<DeviceRecord> devices() const;
  const Provenance& provenance() const { return provenance_; }
  const std::vector<std::string>& problems() const { return problems_; }  // damaged lines

 private:
  explicit RunJournal(Journal journal) : journal_(std::move(journal)) {}
  bool keep(const DeviceRecord& device);  // false: one of its id is there
  void keep(const CaseRecord& record, int64_t launch);

  Journal journal_;
  Provenance provenance_;
  std::vector<std::string> problems_;
  std::vector<std::map<int64_t, CaseRecord>> records_;  // by launch, of each case
  std::map<std::string, size_t> index_;                 // of a case, by name
  std::map<std::string, DeviceRecord> devices_;         // by id
};

}  // namespace alsbench
