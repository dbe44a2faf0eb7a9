// SPDX-License-Identifier: Apache-2.0
// The result document: one JSON file a run, as `alsbench schema result` says. Written by
// `alsbench run` and `merge`; read by tuning, judging and plotting.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/provenance.h"
#include "harness/record/shard_record.h"
#include "harness/record/suite_record.h"

namespace alsbench {

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
