// SPDX-License-Identifier: Apache-2.0
// The result document: one JSON file a run, as `alsbench schema result` says. Written by
// `alsbench run` and `merge`; read by tuning, judging and plotting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/json.h"
#include "harness/record/provenance.h"
#include "harness/record/suite_record.h"

namespace alsbench {

// Which part of a run's cases a process was to measure. Shards are joined by what stands here
// (harness/sweep/merge.h).
struct ShardRecord {
  int64_t index = 0, count = 1;
  int64_t cases = 0, ceilings = 0;  // the rows that it has once it is complete
  int64_t all_cases = 0;            // of all shards
  std::string all_names;            // a hash of the cases' names, by which shards are of one deal
  bool operator==(const ShardRecord&) const = default;
  std::string name() const;  // "1/4", as --shard takes it
};

// The same with the machine that measured it.
struct MeasuredShard {
  ShardRecord shard;
  Provenance provenance;
  std::vector<DeviceRecord> devices;
};

void describe(Fields<ShardRecord>& fields);
void describe(Fields<MeasuredShard>& fields);

struct ResultDocument {
  Provenance provenance;  // of the first shard, as are the devices that others have too
  SuiteRecord suite;
  Json selection = nullptr;           // what the run was started with; null in older files
  std::vector<MeasuredShard> shards;  // one, or what was merged; none in older files
  std::vector<DeviceRecord> devices;  // one of each id
  std::vector<CaseRecord> cases;      // in the order of the suite
};

void describe(Fields<ResultDocument>& fields);
// Takes every minor version of this major one and ignores fields it does not know. Throws
// UsageError naming `source` for a newer major version or a document that is no result.
ResultDocument result_from_json(const Json& json, const std::string& source);
ResultDocument read_result(const std::filesystem::path& path);

}  // namespace alsbench
