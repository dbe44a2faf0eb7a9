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

Json to_json(const PeerUse& use) {
  return {{"wall_seconds", use.wall_seconds},
          {"cpu_seconds", use.cpu_seconds},
          {"peak_bytes", use.peak_bytes},
          {"left_processes", use.left_processes},
          {"other_share", json_of(use.other_share)}};
}

PeerUse use_from_json(const JsonField& json) {
  return {json.at("wall_seconds").duration(), json.at("cpu_seconds").duration(),
          json.at("peak_bytes").integer(), json.at("left_processes").integer(),
          optional_number(json.find("other_share"))};
}

Json to_json(const PeerRequest& request) {
  return {{"name", request.peer},
          {"version", text_or_null(request.version)},
          {"algorithm", request.algorithm},
          {"metric", request.metric},
          {"hyper", to_json(request.hyper)},
          {"regularisation", request.regularisation},
          {"lambda", request.lambda},
          {"iterations", request.iterations},
          {"threads", request.threads},
          {"command", request.command}};
}

PeerRequest request_from_json(const JsonField& json) {
  PeerRequest request;
  request.peer = json.at("name").text();
  request.version = json.at("version").text_or_empty();
  request.algorithm = json.at("algorithm").text();
  request.metric = json.at("metric").text();
  request.hyper = config_from_json(json.at("hyper"));
  request.regularisation = json.at("regularisation").text();
  request.lambda = json.at("lambda").number();
  request.iterations = json.at("iterations").integer();
  request.threads = json.at("threads").integer();
  request.command = json.at("command").texts();
  return request;
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

Json to_json(const PeerScore& score, const std::string& metric) {
  return {{"train_" + metric, json_of(score.train_metric)},
          {"test_" + metric, json_of(score.test_metric)},
          {"cold_test_ratings", score.cold_test_ratings}};
}

PeerScore peer_score_from_json(const JsonField& json, const std::string& metric) {
  return {json.at("train_" + metric).number_or_nan(), json.at("test_" + metric).number_or_nan(),
          json.at("cold_test_ratings").integer()};
}

Json to_json(const PeerRecord& record) {
  const std::string& metric = record.request.metric;
  Json json = to_json(record.request);
  json["progress"] = Json::array();
  for (const PeerProgress& progress : record.progress)
    json["progress"].push_back(to_json(progress, metric));
  json["own_seconds"] = json_of(record.own_seconds);
  json["own_test_" + metric] = json_of(record.own_test_metric);
  json["own_iteration_seconds"] = json_of(record.own_iteration_seconds());
  json["iteration_seconds"] = json_of(record.iteration_seconds());
  json["use"] = record.use ? to_json(*record.use) : Json(nullptr);
  json["score"] = record.score ? to_json(*record.score, metric) : Json(nullptr);
  json["disturbed"] = record.disturbed();
  json["doubts"] = record.doubts;
  return json;
}

PeerRecord peer_record_from_json(const JsonField& json) {
  PeerRecord record;
  record.request = request_from_json(json);
  const std::string& metric = record.request.metric;
  for (const JsonField& line : json.at("progress").elements())
    record.progress.push_back(progress_from_json(line, metric));
  record.own_seconds = optional_number(json.find("own_seconds"));
  record.own_test_metric = optional_number(json.find("own_test_" + metric));
  record.use = optional_of(json.find("use"), use_from_json);
  record.score = optional_of(json.find("score"), [&](const JsonField& score) {
    return peer_score_from_json(score, metric);
  });
  record.doubts = json.at("doubts").texts();
  return record;
}

}  // namespace alsbench
