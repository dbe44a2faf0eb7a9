// SPDX-License-Identifier: Apache-2.0
// RunJournal: what a run has on disk, to go on from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/journal.h"
#include "harness/record/provenance.h"
#include "harness/record/result.h"
#include "harness/record/suite_record.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

// Options that decide which measurement a case name stands for.
struct RunSelection {
  std::string suite_hash;
  std::optional<double> scale;  // where the command line names one, as is the next
  std::optional<uint64_t> seed;
  // Name of each device by id; nothing for one that is not there.
  std::vector<std::pair<std::string, std::optional<std::string>>> devices;
  StopRule sampling;
  int64_t launches = 1;
  double timeout_seconds = 0;
  bool profile = false, counters = false, energy = false;
  BuildProvenance build;
  std::vector<KernelsProvenance> kernels;  // custom ones
};

// The first record of a run's journal, which says what the run was started with. Journals are
// resumed, and shards joined, where their selections are the same.
struct RunHead {
  std::string suite, description;
  Answer answer = Answer::fastest;
  RunSelection selection;
  ShardRecord shard;
  Provenance provenance;
};

Json to_json(const RunSelection& selection);
Json to_json(const RunHead& head);

// "scale: 0.1 there, 0.2 here; ..." of two selections, "" when they are equal.
std::string differences(const Json& there, const Json& here);

// Whether a resumed run tries failed cases again. A hang would cost its time limit once more.
enum class Retry { none, failed };

// Content of a run's journal: what it was started with, its devices, and the record of each
// finished case.
class RunRecords {
 public:
  explicit RunRecords(const RunHead& head);
  // Throws UsageError where it is no journal of a run.
  RunRecords(const JournalContent& content, const std::filesystem::path& path);

  // Later additions were measured for that shard, on the host of that provenance.
  void resume_as(const ShardRecord& shard, const Provenance& provenance);
  bool keep(const DeviceRecord& device);  // false: one of its id is there
  // In place of an earlier one of the same name and launch (from 0).
  void keep(CaseRecord record, int64_t launch);

  // The outcome of a case that needs no run in that launch. It was measured in all its cache modes,
  // was skipped, or failed and is not to be retried. Nothing for any other.
  std::optional<Outcome> known(const Case& c, Retry retry, int64_t launch) const;

  size_t size() const { return records_.size(); }
  std::vector<CaseRecord> records() const;  // the launches of a case merged
  const MeasuredShard& last_shard() const { return shards_.back(); }
  const std::vector<std::string>& problems() const { return problems_; }  // damaged lines

  // As a result document has it, but for what comes last: order, shares and commands to repeat a
  // case. Cases that lack a launch are left out.
  ResultDocument document() const;

 private:
  SuiteRecord suite_;
  Json selection_;
  std::vector<MeasuredShard> shards_;  // another one where it was resumed elsewhere
  std::vector<std::map<int64_t, CaseRecord>> records_;  // by launch, of each case
  std::map<std::string, size_t> index_;                 // of a case, by name
  std::vector<std::string> problems_;
};

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
