// SPDX-License-Identifier: Apache-2.0
#include "harness/record/peer_record.h"

#include "harness/record/core_codecs.h"
#include "harness/record/other_work.h"

namespace alsbench {
namespace {

// Lines that come nearer to each other than this share of what the peer says an iteration takes
// were held back, and their times tell nothing.
constexpr double kHeldBack = 0.5;

Json to_json(const PeerProgress& progress, const std::string& metric) {
  return {{"iteration", progress.iteration},
          {"at_seconds", progress.at_seconds},
          {"own_seconds", json_of(progress.own_seconds)},
          {"own_test_" + metric, json_of(progress.own_test_metric)}};
}

PeerProgress progress_from_json(const JsonField& json, const std::string& metric) {
  return {json.at("iteration").integer(), json.at("at_seconds").duration(),
          optional_number(json.find("own_seconds")),
          optional_number(json.find("own_test_" + metric))};
}

}  // namespace

std::optional<double> PeerRecord::own_iteration_seconds() const {
  double seconds = 0;
  int64_t count = 0;
  for (size_t i = 1; i < progress.size(); ++i) {
    if (!progress[i].own_seconds) return std::nullopt;
    seconds += *progress[i].own_seconds;
    ++count;
  }
  return count > 0 ? std::optional(seconds / static_cast<double>(count)) : std::nullopt;
}

std::optional<double> PeerRecord::iteration_seconds() const {
  if (progress.size() < 2) return std::nullopt;
  const double seconds = (progress.back().at_seconds - progress.front().at_seconds) /
                         static_cast<double>(progress.size() - 1);
  const auto own = own_iteration_seconds();
  return own && seconds < kHeldBack * *own ? std::nullopt : std::optional(seconds);
}

bool PeerRecord::disturbed() const {
  return use && use->other_share.value_or(0) > kDisturbingShare;
}

void describe(Fields<PeerScore>& fields) {
  fields("train_metric", &PeerScore::train_metric).nullable();
  fields("test_metric", &PeerScore::test_metric).nullable();
  fields("cold_test_ratings", &PeerScore::cold_test_ratings);
}

void describe(Fields<PeerUse>& fields) {
  fields("wall_seconds", &PeerUse::wall_seconds).range(Range::Kind::duration);
  fields("cpu_seconds", &PeerUse::cpu_seconds, "of all its processes").range(Range::Kind::duration);
  fields("peak_bytes", &PeerUse::peak_bytes, "resident, of all its processes together");
  fields("left_processes", &PeerUse::left_processes, "that it left running when it ended");
  fields("other_share", &PeerUse::other_share,
         "of the machine's processors, that other work had meanwhile");
}

void describe(Fields<PeerRequest>& fields) {
  fields("name", &PeerRequest::peer, "of its description");
  fields("version", &PeerRequest::version, "null where it does not say").nullable();
  fields("algorithm", &PeerRequest::algorithm, "that has its model and judges its factors");
  fields("metric", &PeerRequest::metric, "of that algorithm");
  fields("hyper", &PeerRequest::hyper);
  fields("regularisation", &PeerRequest::regularisation, "what its lambda multiplies");
  fields("lambda", &PeerRequest::lambda, "as the program got it");
  fields("iterations", &PeerRequest::iterations);
  fields("threads", &PeerRequest::threads);
  fields("command", &PeerRequest::command);
}

namespace {

Json to_json(const PeerScore& score, const std::string& metric) {
  return {{"train_" + metric, json_of(score.train_metric)},
          {"test_" + metric, json_of(score.test_metric)},
          {"cold_test_ratings", score.cold_test_ratings}};
}

PeerScore peer_score_from_json(const JsonField& json, const std::string& metric) {
  return {json.at("train_" + metric).number_or_nan(), json.at("test_" + metric).number_or_nan(),
          json.at("cold_test_ratings").integer()};
}

Json peer_json(const PeerRecord& record) {
  const std::string& metric = record.request.metric;
  Json json = to_json(record.request);
  json["progress"] = Json::array();
  for (const PeerProgress& progress : record.progress)
    json["progress"].push_back(to_json(progress, metric));
  json["own_seconds"] = json_of(record.own_seconds);
  json["own_test_" + metric] = json_of(record.own_test_metric);
  json["own_iteration_seconds"] = json_of(record.own_iteration_seconds());
  json["iteration_seconds"] = json_of(record.iteration_seconds());
  json["use"] = json_or_null(record.use);
  json["score"] = record.score ? to_json(*record.score, metric) : Json(nullptr);
  json["disturbed"] = record.disturbed();
  json["doubts"] = record.doubts;
  return json;
}

PeerRecord peer_from_json(const JsonField& json) {
  PeerRecord record;
  record.request = read_as<PeerRequest>(json);
  const std::string& metric = record.request.metric;
  for (const JsonField& line : json.at("progress").elements())
    record.progress.push_back(progress_from_json(line, metric));
  record.own_seconds = optional_number(json.find("own_seconds"));
  record.own_test_metric = optional_number(json.find("own_test_" + metric));
  record.use = optional_of(json.find("use"), read_as<PeerUse>);
  record.score = optional_of(json.find("score"), [&](const JsonField& score) {
    return peer_score_from_json(score, metric);
  });
  record.doubts = json.at("doubts").texts();
  return record;
}

Json peer_schema(Definitions& definitions) {
  const Json number{{"type", {"number", "null"}}};
  const Json progress{{"type", "object"},
                      {"properties",
                       {{"iteration", {{"type", "integer"}}},
                        {"at_seconds", {{"type", "number"}, {"minimum", 0}}},
                        {"own_seconds", number}}},
                      {"patternProperties", {{"^own_test_", number}}},
                      {"required", {"iteration", "at_seconds", "own_seconds"}},
                      {"additionalProperties", false}};
  const Json score{{"type", {"object", "null"}},
                   {"properties", {{"cold_test_ratings", {{"type", "integer"}, {"minimum", 0}}}}},
                   {"patternProperties", {{"^(train|test)_", number}}},
                   {"required", {"cold_test_ratings"}},
                   {"additionalProperties", false}};
  Json schema = record_type<PeerRequest>().object_schema(definitions);
  const Json more{{"progress", types::list_schema(progress)},
                  {"own_seconds", number},
                  {"own_iteration_seconds", number},
                  {"iteration_seconds", number},
                  {"use", type_of<std::optional<PeerUse>>().schema(definitions)},
                  {"score", score},
                  {"disturbed", {{"type", "boolean"}}},
                  {"doubts", types::list_schema({{"type", "string"}})}};
  for (const auto& [name, member] : more.items()) schema["required"].push_back(name);
  schema["properties"].update(more);
  schema["patternProperties"] = {{"^own_test_", number}};
  return schema;
}

}  // namespace

// Its members are named after the metric.
const Type& type_for(const PeerRecord*) {
  static const types::FormedType<PeerRecord> type(peer_json, peer_from_json, peer_schema);
  return type;
}

}  // namespace alsbench
