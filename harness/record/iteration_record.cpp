// SPDX-License-Identifier: Apache-2.0
#include "harness/record/iteration_record.h"

#include <string_view>

namespace alsbench {
namespace {

// The metric's name: what follows "train_" in a key.
std::string metric_of(const JsonField& json) {
  constexpr std::string_view kPrefix = "train_";
  for (const auto& [key, value] : json.members())
    if (key.starts_with(kPrefix)) return key.substr(kPrefix.size());
  json.fail("names no metric");
}

}  // namespace

Json to_json(const IterationRecord& record, const std::string& metric) {
  Json seconds{{"total", record.seconds},
               {"wall", record.wall_seconds},
               {metric, record.metric_seconds},
               {"stages", record.stage_seconds}};
  if (!record.members.empty()) {
    seconds["members"] = Json::array();
    for (const MemberSeconds& member : record.members)
      seconds["members"].push_back({{"work", member.work}, {"exchange", member.exchange}});
    seconds["exchange"] = record.exchange_seconds;
  }
  Json json{{"iteration", record.iteration},
            {"train_" + metric, json_of(record.train_metric)},
            {"test_" + metric, json_of(record.test_metric)},
            {"seconds", std::move(seconds)},
            {"mean_cg_steps", json_of(record.mean_solver_steps)},
            {"cold_test_ratings", record.cold_test_ratings}};
  record_type<OtherWork>().write_into(json, &record.other_work);
  return json;
}

IterationRecord iteration_from_json(const JsonField& json) {
  const std::string metric = metric_of(json);
  IterationRecord record;
  record.iteration = json.at("iteration").integer32();
  record.train_metric = json.at("train_" + metric).number_or_nan();
  record.test_metric = json.at("test_" + metric).number_or_nan();
  const JsonField seconds = json.at("seconds");
  record.seconds = seconds.at("total").duration();
  record.wall_seconds = seconds.at("wall").duration();
  record.metric_seconds = seconds.at(metric).duration();
  for (const auto& [stage, value] : seconds.at("stages").members())
    record.stage_seconds[stage] = value.duration();
  if (const auto members = seconds.find("members")) {
    record.members = list_of(*members, [](const JsonField& member) {
      return MemberSeconds{member.at("work").duration(), member.at("exchange").duration()};
    });
    record.exchange_seconds = seconds.at("exchange").duration();
  }
  record.mean_solver_steps = json.at("mean_cg_steps").number_or_nan();
  record.cold_test_ratings = json.at("cold_test_ratings").integer();
  record.other_work = read_as<OtherWork>(json);
  return record;
}

Json iteration_schema(Definitions& definitions) {
  const Json number{{"type", "number"}, {"minimum", 0}};
  const Json value{{"type", {"number", "null"}}};
  const Json members = types::list_schema({{"type", "object"},
                                           {"properties", {{"work", number}, {"exchange", number}}},
                                           {"required", {"work", "exchange"}}});
  const Json seconds{{"type", "object"},
                     {"description", "total: on the device; and of the metric, by its name"},
                     {"properties",
                      {{"total", number},
                       {"wall", number},
                       {"stages", types::map_schema(number)},
                       {"members", members},
                       {"exchange", number}}},
                     {"required", {"total", "wall", "stages"}},
                     {"additionalProperties", number}};
  Json schema = record_type<OtherWork>().object_schema(definitions);
  schema["properties"].update({{"iteration", {{"type", "integer"}, {"minimum", 1}}},
                               {"seconds", seconds},
                               {"mean_cg_steps", value},
                               {"cold_test_ratings", {{"type", "integer"}, {"minimum", 0}}}});
  schema["patternProperties"] = {{"^(train|test)_", value}};
  schema["required"] = {"iteration", "seconds", "mean_cg_steps", "cold_test_ratings"};
  return schema;
}

const Type& type_for(const IterationRecord*) {
  static const types::FormedType<IterationRecord> type(
      [](const IterationRecord& record) { return to_json(record, "metric"); }, iteration_from_json,
      iteration_schema);
  return type;
}

}  // namespace alsbench
