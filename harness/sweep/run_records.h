// SPDX-License-Identifier: Apache-2.0
// RunRecords: what a journal says of its run: what it was started with, its devices, and the record
// of each finished case.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/journal.h"
#include "harness/record/result.h"
#include "harness/sweep/run_head.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

// Whether a resumed run tries failed cases again. A hang would cost its time limit once more.
enum class Retry { none, failed };

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

}  // namespace alsbench
