#include "harness/record/result.h"

#include <fmt/format.h>

#include "harness/files/atomic_file.h"
#include "harness/record/schema_version.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

void check_version(const Json& json, const std::string& source) {
  if (!json.is_object() || !json.contains("schema_version") ||
      !json["schema_version"].is_string() || !json.contains("cases"))
    throw UsageError(
        fmt::format("{}: is no alsbench result (an object with schema_version and cases)", source));
  if (const std::string kind = json.value("kind", "run"); kind != "run")
    throw UsageError(fmt::format("{}: is a {}, not a result of alsbench run", source, kind));
  check_schema_version(json["schema_version"], kResultSchemaVersion, source);
}

}  // namespace

Json to_json(const ResultDocument& document) {
  return {{"$schema", "../schema/result.schema.json"},
          {"schema_version", kResultSchemaVersion},
          {"kind", "run"},
          {"provenance", document.provenance},
          {"suite", document.suite},
          {"devices", document.devices},
          {"cases", document.cases}};
}

ResultDocument result_from_json(const Json& json, const std::string& source) {
  check_version(json, source);
  try {
    ResultDocument document;
    document.provenance = json.value("provenance", Json::object());
    document.suite = json.value("suite", Json::object());
    document.devices = json.value("devices", std::vector<Json>{});
    document.cases = json.at("cases").get<std::vector<Json>>();
    for (const Json& record : document.cases) outcome_of(record);
    return document;
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{}: is damaged: {}", source, error.what()));
  }
}

ResultDocument read_result(const std::filesystem::path& path) {
  const Json json = Json::parse(read_whole_file(path), nullptr, false);
  if (json.is_discarded())
    throw UsageError(fmt::format("{}: is not JSON; was it cut off?", path.string()));
  return result_from_json(json, path.string());
}

Outcome outcome_of(const Json& case_record) {
  const std::string name = case_record.at("outcome");
  const auto outcome = outcome_named(name);
  if (!outcome)
    throw UsageError(fmt::format("case '{}' has the unknown outcome '{}'",
                                 case_record.value("name", "?"), name));
  return *outcome;
}

bool failed(Outcome outcome) { return outcome != Outcome::ok && outcome != Outcome::skipped; }

}  // namespace alsbench
