// SPDX-License-Identifier: Apache-2.0
#include "harness/record/case_record.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

constexpr std::array<std::string_view, 4> kRoles{"case", "roof", "training", "peer"};

constexpr std::array<std::string_view, 8> kProblemKeys{"name", "dataset", "path",   "scale",
                                                       "seed", "rank",    "lambda", "data"};

Json to_json(const ProblemRecord& problem) {
  Json json{{"name", problem.name},
            {"dataset", text_or_null(problem.dataset)},
            {"path", text_or_null(problem.path)},
            {"scale", problem.scale}};
  for (const auto& [key, value] : problem.reading) json[key] = value;
  json["seed"] = problem.seed;
  json["rank"] = problem.rank;
  json["lambda"] = problem.lambda;
  json["data"] = problem.data ? alsbench::to_json(*problem.data) : Json(nullptr);
  return json;
}

ProblemRecord problem_record_from_json(const JsonField& json) {
  ProblemRecord problem;
  problem.name = json.at("name").text();
  problem.dataset = json.at("dataset").text_or_empty();
  problem.path = json.at("path").text_or_empty();
  problem.scale = json.at("scale").number();
  problem.seed = json.at("seed").unsigned_integer();
  problem.rank = json.at("rank").integer();
  problem.lambda = json.at("lambda").number();
  problem.data = optional_of(json.find("data"), data_record_from_json);
  for (const auto& [key, value] : json.members())
    if (std::find(kProblemKeys.begin(), kProblemKeys.end(), key) == kProblemKeys.end())
      problem.reading.emplace_back(key, value.value());
  return problem;
}

Json to_json(const KernelRecord& kernel) {
  Json json = alsbench::to_json(kernel.report);
  if (kernel.seconds) json["seconds"] = *kernel.seconds;
  return json;
}

KernelRecord kernel_from_json(const JsonField& json) {
  return {kernel_report_from_json(json), optional_number(json.find("seconds"))};
}

TunedOrigin origin_from_json(const JsonField& json) {
  return {json.at("level").text(), json.at("reason").text(), json.at("stale").boolean()};
}

TunedOrigins tuned_from_json(const JsonField& json, Role role) {
  if (role != Role::training) return {{"", origin_from_json(json)}};
  TunedOrigins origins;
  for (const auto& [part, field] : json.members())
    origins.emplace_back(part, origin_from_json(field));
  return origins;
}

Json tuned_json(const CaseRecord& record) {
  return record.role == Role::training ? alsbench::to_json(record.tuned)
                                       : alsbench::to_json(record.tuned.front().second);
}

// What the case is.
void read_case(const JsonField& json, CaseRecord& record) {
  record.name = json.at("name").text();
  record.role = json.at("role").word(role_named);
  record.stage = json.at("stage").text_or_empty();
  record.variant = json.at("variant").text_or_empty();
  record.backend = json.at("backend").word(backend_named);
  record.device = json.at("device").text();
  record.config = config_from_json(json.at("config"));
  record.part = json.at("side").text_or_empty();
  record.problem = problem_record_from_json(json.at("problem"));
  if (const auto tuned = json.find("tuned")) record.tuned = tuned_from_json(*tuned, record.role);
}

// What became of it.
void read_findings(const JsonField& json, CaseRecord& record) {
  record.outcome = json.at("outcome").word(outcome_named);
  record.group = json.at("batch").text_or_empty();
  record.detail = json.at("detail").text_or_empty();
  record.verification = optional_of(json.find("verification"), verification_from_json);
  record.recheck = optional_of(json.find("recheck"), verification_from_json);
  record.work = optional_of(json.find("work"), work_from_json);
  record.shape = optional_of(json.find("shape"), shape_from_json);
  record.measured_rows = optional_integer(json.find("measured_rows"));
  record.peak_device_bytes = optional_integer(json.find("peak_device_bytes"));
  record.cold = optional_of(json.find("cold"), measurement_record_from_json);
  record.hot = optional_of(json.find("hot"), measurement_record_from_json);
  record.training = optional_of(json.find("training"), training_record_from_json);
  record.peer = optional_of(json.find("peer"), peer_record_from_json);
  record.kernels = list_of(json.at("kernels"), kernel_from_json);
  for (const JsonField& line : json.at("log_tail").elements())
    record.log_tail.push_back(line.text());
  record.repeat = optional_text(json.find("repeat")).value_or("");
  record.number = optional_integer(json.find("number"));
  record.shard = optional_integer(json.find("shard")).value_or(0);
}

}  // namespace

std::string_view name_of(Role role) { return kRoles[static_cast<size_t>(role)]; }

std::optional<Role> role_named(std::string_view name) {
  for (size_t i = 0; i < kRoles.size(); ++i)
    if (kRoles[i] == name) return static_cast<Role>(i);
  return std::nullopt;
}

Json to_json(const DataRecord& data) {
  return {{"id", data.id},
          {"content_hash", data.content_hash},
          {"users", data.users},
          {"items", data.items},
          {"train_ratings", data.train_ratings},
          {"test_ratings", data.test_ratings},
          {"empty_users", data.empty_users},
          {"empty_items", data.empty_items}};
}

DataRecord data_record_from_json(const JsonField& json) {
  DataRecord data;
  data.id = json.at("id").text();
  data.content_hash = json.at("content_hash").text();
  data.users = json.at("users").integer();
  data.items = json.at("items").integer();
  data.train_ratings = json.at("train_ratings").integer();
  data.test_ratings = json.at("test_ratings").integer();
  data.empty_users = json.at("empty_users").integer();
  data.empty_items = json.at("empty_items").integer();
  return data;
}

Json to_json(const TunedOrigin& origin) {
  return {{"level", origin.level}, {"reason", origin.reason}, {"stale", origin.stale}};
}

Json to_json(const TunedOrigins& origins) {
  Json json = Json::object();
  for (const auto& [part, origin] : origins) json[part] = to_json(origin);
  return json;
}

Json to_json(const CaseRecord& record) {
  Json kernels = Json::array();
  for (const KernelRecord& kernel : record.kernels) kernels.push_back(to_json(kernel));
  Json json{{"name", record.name},
            {"role", name_of(record.role)},
            {"stage", text_or_null(record.stage)},
            {"variant", text_or_null(record.variant)},
            {"backend", name_of(record.backend)},
            {"device", record.device},
            {"config", to_json(record.config)},
            {"side", text_or_null(record.part)},
            {"problem", to_json(record.problem)},
            {"outcome", name_of(record.outcome)},
            {"batch", text_or_null(record.group)},
            {"detail", text_or_null(record.detail)},
            {"verification", json_or_null(record.verification)},
            {"recheck", json_or_null(record.recheck)},
            {"work", json_or_null(record.work)},
            {"shape", json_or_null(record.shape)},
            {"measured_rows", json_of(record.measured_rows)},
            {"peak_device_bytes", json_of(record.peak_device_bytes)},
            {"cold", json_or_null(record.cold)},
            {"hot", json_or_null(record.hot)},
            {"training", json_or_null(record.training)},
            {"kernels", std::move(kernels)},
            {"log_tail", record.log_tail}};
  if (record.peer) json["peer"] = to_json(*record.peer);
  if (!record.tuned.empty()) json["tuned"] = tuned_json(record);
  json["repeat"] = text_or_null(record.repeat);
  json["number"] = json_of(record.number);
  json["shard"] = record.shard;
  return json;
}

CaseRecord case_record_from_json(const JsonField& json) {
  CaseRecord record;
  read_case(json, record);
  read_findings(json, record);
  return record;
}

}  // namespace alsbench
