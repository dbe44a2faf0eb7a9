// SPDX-License-Identifier: Apache-2.0
#include "harness/record/training_record.h"

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
          optional_of(json.find("result"), training_result_from_json)};
}

}  // namespace

double TrainingLaunch::seconds() const {
  double sum = 0;
  for (const IterationRecord& iteration : iterations) sum += iteration.seconds;
  return sum;
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

Json to_json(const TrainingResult& result) {
  Json json{{"reached_target", result.reached_target},
            {"setup_seconds", json_of(result.setup_seconds)},
            {"failed_rows", result.failed_rows}};
  if (result.overflows) json["overflows"] = *result.overflows;
  json["empty_users"] = result.empty_users;
  json["empty_items"] = result.empty_items;
  if (result.team) json["team"] = to_json(*result.team);
  return json;
}

TrainingResult training_result_from_json(const JsonField& json) {
  TrainingResult result;
  result.reached_target = json.at("reached_target").boolean();
  result.setup_seconds = json.at("setup_seconds").number_or_nan();
  result.failed_rows = json.at("failed_rows").integer();
  result.overflows = optional_integer(json.find("overflows"));
  result.empty_users = json.at("empty_users").integer();
  result.empty_items = json.at("empty_items").integer();
  if (const auto team = json.find("team")) result.team = team_record_from_json(*team);
  return result;
}

Json to_json(const TrainingRecord& record) {
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

TrainingRecord training_record_from_json(const JsonField& json) {
  TrainingRecord record;
  record.algorithm = optional_text(json.find("algorithm")).value_or("");
  if (const auto hyper = json.find("hyper")) record.hyper = config_from_json(*hyper);
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

}  // namespace alsbench
