// SPDX-License-Identifier: Apache-2.0
#include "harness/record/shard_record.h"

#include <fmt/format.h>

namespace alsbench {

namespace {

constexpr int64_t kMaxShards = 1000000;  // what a damaged file can make a reader allocate

}  // namespace

std::string ShardRecord::name() const { return fmt::format("{}/{}", index, count); }

void describe(Fields<ShardRecord>& fields) {
  fields.record("shard", "A part of a run.");
  fields("index", &ShardRecord::index);
  fields("count", &ShardRecord::count);
  fields("cases", &ShardRecord::cases, "that it has once it is complete")
      .range(Range::Kind::from_0);
  fields("ceilings", &ShardRecord::ceilings, "likewise").range(Range::Kind::from_0);
  fields("all_cases", &ShardRecord::all_cases, "of all shards").range(Range::Kind::from_0);
  fields("all_names", &ShardRecord::all_names, "a hash of the names of all cases");
  fields.check([](const JsonField& json, const ShardRecord& shard) {
    if (shard.count > kMaxShards) json.fail(fmt::format("count is above {}", kMaxShards));
    if (shard.index < 0 || shard.index >= shard.count)
      json.fail("index is not from 0 to count - 1");
  });
}

void describe(Fields<MeasuredShard>& fields) {
  fields.record("measured_shard", "A part of a run, with the machine that measured it.");
  fields.inlined(&MeasuredShard::shard);
  fields("provenance", &MeasuredShard::provenance);
  fields("devices", &MeasuredShard::devices);
}

}  // namespace alsbench
