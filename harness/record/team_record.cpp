// SPDX-License-Identifier: Apache-2.0
#include "harness/record/team_record.h"

namespace alsbench {
namespace {

Json to_json(const PredictedSeconds& predicted) {
  return Json{{"members", predicted.members},
              {"largest_share", predicted.largest_share},
              {"seconds", predicted.seconds}};
}

PredictedSeconds predicted_from(const JsonField& json) {
  return {json.at("members").integer32(), json.at("largest_share").number(),
          json.at("seconds").duration()};
}

}  // namespace

Json to_json(const TeamRecord& record) {
  Json predicted = Json::array();
  for (const PredictedSeconds& one : record.predicted) predicted.push_back(to_json(one));
  return Json{{"members", record.members},
              {"latency_seconds", record.latency_seconds},
              {"bytes_per_second", record.bytes_per_second},
              {"exchanges", record.exchanges},
              {"exchanged_bytes", record.exchanged_bytes},
              {"work_seconds", record.work_seconds},
              {"predicted", std::move(predicted)}};
}

TeamRecord team_record_from_json(const JsonField& json) {
  return {json.at("members").integer32(),
          json.at("latency_seconds").duration(),
          json.at("bytes_per_second").number(),
          json.at("exchanges").integer32(),
          json.at("exchanged_bytes").integer(),
          json.at("work_seconds").duration(),
          list_of(json.at("predicted"), predicted_from)};
}

}  // namespace alsbench
