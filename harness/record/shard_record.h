// SPDX-License-Identifier: Apache-2.0
// ShardRecord: which part of a run's cases a process was to measure. MeasuredShard: the same with
// the machine that measured it. Shards are joined by what stands here (harness/sweep/merge.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/record/device_record.h"
#include "harness/record/json.h"
#include "harness/record/provenance.h"

namespace alsbench {

struct ShardRecord {
  int64_t index = 0, count = 1;
  int64_t cases = 0, ceilings = 0;  // the rows that it has once it is complete
  int64_t all_cases = 0;            // of all shards
  std::string all_names;            // a hash of the cases' names, by which shards are of one deal
  bool operator==(const ShardRecord&) const = default;
  std::string name() const;  // "1/4", as --shard takes it
};

struct MeasuredShard {
  ShardRecord shard;
  Provenance provenance;
  std::vector<DeviceRecord> devices;
};

void describe(Fields<ShardRecord>& fields);
void describe(Fields<MeasuredShard>& fields);

}  // namespace alsbench
