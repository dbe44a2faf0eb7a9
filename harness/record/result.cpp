// SPDX-License-Identifier: Apache-2.0
#include "harness/record/result.h"

#include <fmt/format.h>

#include "harness/files/atomic_file.h"
#include "harness/files/strict_json.h"
#include "harness/record/escape.h"
#include "harness/record/schema_version.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

void check_version(const Json& json, const std::string& source) {
  if (!json.is_object() || !json.contains("schema_version") ||
      !json["schema_version"].is_string() || !json.contains("cases"))
    throw UsageError(
        fmt::format("{}: is no alsbench result (an object with schema_version and cases)", source));
  const std::string kind = read_document(json, source, [](const JsonField& fields) {
    return optional_text(fields.find("kind")).value_or("run");
  });
  if (kind != "run")
    throw UsageError(
        fmt::format("{}: is a {}, not a result of alsbench run", source, visible(kind)));
  check_schema_version(json["schema_version"], kResultSchemaVersion, source);
}

// The only shard has the document's own provenance and devices.
Json shards_json(const ResultDocument& document) {
  if (document.shards.size() != 1) return json_list(document.shards);
  return Json::array({to_json(document.shards.front().shard)});
}

std::vector<MeasuredShard> shards_of(const JsonField& json, const ResultDocument& document) {
  const auto elements = json.elements();
  if (elements.size() == 1)
    return {{shard_record_from_json(elements.front()), document.provenance, document.devices}};
  return list_of(json, measured_shard_from_json);
}

void check_shards_of_cases(const ResultDocument& document, const JsonField& cases) {
  const auto shards = static_cast<int64_t>(document.shards.size());
  for (size_t i = 0; i < document.cases.size(); ++i)
    if (const int64_t shard = document.cases[i].shard; shard < 0 || shard >= shards)
      cases.elements()[i].at("shard").fail("is none of the document's shards");
}

}  // namespace

Json to_json(const ResultDocument& document) {
  return {{"$schema", "../schema/result.schema.json"},
          {"schema_version", kResultSchemaVersion},
          {"kind", "run"},
          {"provenance", to_json(document.provenance)},
          {"suite", to_json(document.suite)},
          {"selection", document.selection},
          {"shards", shards_json(document)},
          {"devices", json_list(document.devices)},
          {"cases", json_list(document.cases)}};
}

ResultDocument result_from_json(const Json& json, const std::string& source) {
  check_version(json, source);
  return read_written(json, source, [](const JsonField& fields) {
    ResultDocument document;
    if (const auto provenance = fields.find("provenance"))
      document.provenance = provenance_from_json(*provenance);
    if (const auto suite = fields.find("suite")) document.suite = suite_record_from_json(*suite);
    if (const auto devices = fields.find("devices"))
      document.devices = list_of(*devices, device_record_from_json);
    document.cases = list_of(fields.at("cases"), case_record_from_json);
    if (const auto selection = fields.find("selection")) document.selection = selection->value();
    if (const auto shards = fields.find("shards")) {
      document.shards = shards_of(*shards, document);
      if (!document.shards.empty()) check_shards_of_cases(document, fields.at("cases"));
    }
    return document;
  });
}

ResultDocument read_result(const std::filesystem::path& path) {
  return result_from_json(parse_json(read_whole_file(path), path.string()), path.string());
}

}  // namespace alsbench
