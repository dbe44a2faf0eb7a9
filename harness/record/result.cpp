// SPDX-License-Identifier: Apache-2.0
#include "harness/record/result.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "base/error.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

// The only shard has the document's own provenance and devices.
Json shards_json(const ResultDocument& document) {
  if (document.shards.size() != 1) return to_json(document.shards);
  return Json::array({to_json(document.shards.front().shard)});
}

void read_shards(const JsonField& json, ResultDocument& document) {
  const auto elements = json.elements();
  if (elements.size() == 1)
    document.shards = {
        {read_as<ShardRecord>(elements.front()), document.provenance, document.devices}};
  else
    document.shards = read_as<std::vector<MeasuredShard>>(json);
}

void check_shards_of_cases(const ResultDocument& document, const JsonField& cases) {
  const auto shards = static_cast<int64_t>(document.shards.size());
  for (size_t i = 0; i < document.cases.size(); ++i)
    if (const int64_t shard = document.cases[i].shard; shard < 0 || shard >= shards)
      cases.elements()[i].at("shard").fail("is none of the document's shards");
}

// A row is found by its name.
void check_names_of_cases(const ResultDocument& document, const JsonField& cases) {
  std::map<std::string_view, size_t> first;
  for (size_t i = 0; i < document.cases.size(); ++i)
    if (const auto [known, added] = first.try_emplace(document.cases[i].name, i); !added)
      cases.elements()[i].at("name").fail(
          fmt::format("is that of {}, too: '{}'; leave one of them out",
                      cases.elements()[known->second].place(), visible(document.cases[i].name)));
}

}  // namespace

void describe(Fields<ResultDocument>& fields) {
  fields.record(
      "",
      "The document that `alsbench run` and `merge` write. Units are in the names; null means not "
      "measured, never zero.");
  describe_document(fields, "run");
  fields("provenance", &ResultDocument::provenance, "of the first shard");
  fields("suite", &ResultDocument::suite);
  fields("selection", &ResultDocument::selection, "what the run was started with, as its journal");
  fields.derived("shards", shards_json, {{"type", "array"}, {"items", {{"type", "object"}}}},
                 "which parts of a run the document has; a merged one has the machine of each");
  fields("devices", &ResultDocument::devices, "one of each id");
  fields("cases", &ResultDocument::cases, "in the order of the suite");
  fields.check([](const JsonField& json, ResultDocument& document) {
    check_names_of_cases(document, json.at("cases"));
    const auto shards = json.find("shards");
    if (!shards) return;
    read_shards(*shards, document);
    if (!document.shards.empty()) check_shards_of_cases(document, json.at("cases"));
  });
}

ResultDocument result_from_json(const Json& json, const std::string& source) {
  return read_as_document<ResultDocument>(json, "run", source);
}

ResultDocument read_result(const std::filesystem::path& path) {
  return result_from_json(read_json(path), path.string());
}

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
