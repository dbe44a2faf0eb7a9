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

}  // namespace

Json to_json(const ResultDocument& document) {
  return {{"$schema", "../schema/result.schema.json"},
          {"schema_version", kResultSchemaVersion},
          {"kind", "run"},
          {"provenance", to_json(document.provenance)},
          {"suite", to_json(document.suite)},
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
    return document;
  });
}

ResultDocument read_result(const std::filesystem::path& path) {
  return result_from_json(parse_json(read_whole_file(path), path.string()), path.string());
}

}  // namespace alsbench
