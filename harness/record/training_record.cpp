// SPDX-License-Identifier: Apache-2.0
#include "harness/record/training_record.h"

#include <algorithm>
#include <string_view>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

constexpr std::string_view kPipeline = "pipeline_", kTarget = "target_";

Json to_json(const TrainingLaunch& launch, const std::string& metric) {
  Json iterations = Json::array();
  for (const IterationRecord& iteration : launch.iterations)
    iterations.push_back(to_json(iteration, metric));
  return {{"iterations", std::move(iterations)}, {"result", json_or_null(launch.result)}};
}

TrainingLaunch training_launch_from_json(const JsonField& json) {
  return {list_of(json.at("iterations"), iteration_from_json),
          optional_of(json.find("result"), read_as<TrainingResult>)};
}

}  // namespace

double TrainingLaunch::seconds() const {
  double sum = 0;
  for (const IterationRecord& iteration : iterations) sum += iteration.seconds;
  return sum;
}

std::optional<double> TrainingLaunch::iteration_seconds() const {
  if (iterations.size() < 2) return std::nullopt;
  std::vector<double> seconds;
  for (size_t i = 1; i < iterations.size(); ++i) seconds.push_back(iterations[i].seconds);
  std::sort(seconds.begin(), seconds.end());
  return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

double taken_share(const std::vector<IterationRecord>& iterations) {
  double taken = 0, wall = 0;
  for (const IterationRecord& iteration : iterations) {
    const double seconds = iteration.wall_seconds;
    wall += seconds;
    if (iteration.other_work.disturbs(seconds))
      taken += seconds * iteration.other_work.taken_share(seconds).value_or(0);
  }
  return wall > 0 ? taken / wall : 0;
}

bool disturbed(const std::vector<IterationRecord>& iterations) {
  return !disturbed_times_count() && taken_share(iterations) > kDisturbingShare;
}

void describe(Fields<TrainingResult>& fields) {
  fields("reached_target", &TrainingResult::reached_target);
  fields("setup_seconds", &TrainingResult::setup_seconds).nullable();
  fields("failed_rows", &TrainingResult::failed_rows).range(Range::Kind::from_0);
  fields("overflows", &TrainingResult::overflows, "finite factors that are infinite in their copy")
      .since("1.3.0")
      .omitted();
  fields("empty_users", &TrainingResult::empty_users).range(Range::Kind::from_0);
  fields("empty_items", &TrainingResult::empty_items).range(Range::Kind::from_0);
  fields("team", &TrainingResult::team, "of several devices").since("1.10.0").omitted();
}

namespace {

Json training_json(const TrainingRecord& record) {
  Json json = Json::object();
  if (!record.algorithm.empty())
    json.update({{"algorithm", record.algorithm}, {"hyper", to_json(record.hyper)}});
  for (const auto& [part, text] : record.pipelines) json[std::string(kPipeline) + part] = text;
  json[std::string(kTarget) + record.metric] = json_of(record.target);
  json.update(to_json(record.first(), record.metric));
  if (record.launches.size() < 2) return json;
  Json& launches = json["launches"] = Json::array();
  for (const TrainingLaunch& launch : record.launches)
    launches.push_back(to_json(launch, record.metric));
  return json;
}

TrainingRecord training_from_json(const JsonField& json) {
  TrainingRecord record;
  record.algorithm = optional_text(json.find("algorithm")).value_or("");
  if (const auto hyper = json.find("hyper")) record.hyper = read_as<Config>(*hyper);
  for (const auto& [key, field] : json.members()) {
    if (key.starts_with(kPipeline))
      record.pipelines.emplace_back(key.substr(kPipeline.size()), field.text());
    if (!key.starts_with(kTarget)) continue;
    record.metric = key.substr(kTarget.size());
    record.target = optional_number(json.find(key));
  }
  if (record.metric.empty()) json.fail("names no target");
  if (const auto launches = json.find("launches"))
    record.launches = list_of(*launches, training_launch_from_json);
  else
    record.launches = {training_launch_from_json(json)};
  if (record.launches.empty()) json.at("launches").fail("is empty");
  return record;
}

Json training_schema(Definitions& definitions) {
  const Json launch{{"iterations", types::list_schema(iteration_schema(definitions))},
                    {"result", type_of<std::optional<TrainingResult>>().schema(definitions)}};
  Json properties{{"algorithm", {{"type", "string"}, {"description", "since 1.6.0"}}},
                  {"hyper", {{"type", "object"}, {"description", "since 1.6.0"}}},
                  {"launches",
                   {{"type", "array"},
                    {"description", "of several process launches, whose first stands above"},
                    {"items",
                     {{"type", "object"},
                      {"properties", launch},
                      {"required", {"iterations", "result"}},
                      {"additionalProperties", false}}}}}};
  properties.update(launch);
  return {{"type", "object"},
          {"description", "Pipelines and the target are named after the parts and the metric."},
          {"properties", properties},
          {"patternProperties",
           {{"^pipeline_", {{"type", "string"}}}, {"^target_", {{"type", {"number", "null"}}}}}},
          {"required", {"iterations", "result"}},
          {"additionalProperties", false}};
}

}  // namespace

// Its members are named after the metric and the parts of the model.
const Type& type_for(const TrainingRecord*) {
  static const types::FormedType<TrainingRecord> type(training_json, training_from_json,
                                                      training_schema);
  return type;
}

}  // namespace alsbench
