// SPDX-License-Identifier: Apache-2.0
#include "harness/record/shard_record.h"

#include <fmt/format.h>

namespace alsbench {

namespace {

constexpr int64_t kMostShards = 1000000;  // what a damaged file can make a reader allocate

}  // namespace

std::string ShardRecord::name() const { return fmt::format("{}/{}", index, count); }

Json to_json(const ShardRecord& shard) {
  return {{"index", shard.index}, {"count", shard.count},         {"cases", shard.cases},
          {"roofs", shard.roofs}, {"all_cases", shard.all_cases}, {"all_names", shard.all_names}};
}

ShardRecord shard_record_from_json(const JsonField& json) {
  ShardRecord shard;
  shard.index = json.at("index").integer();
  shard.count = json.at("count").integer();
  if (shard.count > kMostShards) json.fail(fmt::format("count is above {}", kMostShards));
  if (shard.index < 0 || shard.index >= shard.count) json.fail("index is not from 0 to count - 1");
  shard.cases = json.at("cases").integer();
  shard.roofs = json.at("roofs").integer();
  shard.all_cases = json.at("all_cases").integer();
  shard.all_names = json.at("all_names").text();
  return shard;
}

Json to_json(const MeasuredShard& measured) {
  Json json = to_json(measured.shard);
  json["provenance"] = to_json(measured.provenance);
  json["devices"] = json_list(measured.devices);
  return json;
}

MeasuredShard measured_shard_from_json(const JsonField& json) {
  return {shard_record_from_json(json), provenance_from_json(json.at("provenance")),
          list_of(json.at("devices"), device_record_from_json)};
}

}  // namespace alsbench
