// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/case.h"

#include <fmt/format.h>

#include <utility>

#include "harness/algorithms/algorithms.h"
#include "harness/record/core_codecs.h"
#include "harness/record/pipeline_record.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

bool is_named(const Parameter& parameter, const std::string& value) {
  if (parameter.unnamed) return false;
  return parameter.named_at_default || value != parameter.values.front().text;
}

// The configuration without what is no part of a name.
std::string named_text(const Variant& variant, const Config& config) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& entry : config.entries()) {
    const Parameter* parameter = variant.space.find(entry.first);
    if (parameter == nullptr || is_named(*parameter, entry.second)) entries.push_back(entry);
  }
  return Config(std::move(entries)).text();
}

}  // namespace

void describe(Fields<ProblemSpec>& fields) {
  fields.record("problem_request", "Ratings with rank and lambda, as they are asked for.");
  fields.inlined(&ProblemSpec::data);
  fields("rank", &ProblemSpec::rank);
  fields("lambda", &ProblemSpec::lambda);
}

std::string Case::name() const {
  std::string text;
  if (train) {
    text = fmt::format("train/{}/{}/{}", train->name, name_of(backend), problem.name());
  } else if (peer) {
    text = fmt::format("peer/{}/{}/{}", peer->name, name_of(backend), problem.name());
  } else {
    text = variant->id();
    const std::string configuration = named_text(*variant, config);
    if (!configuration.empty()) text += "/" + configuration;
    text += "/" + problem.name();
    if (!problem.data.has_sizes()) text += "/part:" + part;
  }
  if (!device_label.empty()) text += "/device:" + device_label;
  if (is_ceiling()) text += "/with:" + measured_with;
  return text;
}

std::string Case::measurement_name(CacheMode mode) const {
  return fmt::format("{}/{}", name(), name_of(mode));
}

std::string Case::group() const {
  const std::string place = fmt::format("{}/{}", device, problem.name());
  const std::string end = section == 0 ? "" : fmt::format(":{}", section + 1);
  if (train) return fmt::format("{}/train{}", place, end);
  if (peer) return fmt::format("{}/peers{}", place, end);
  if (is_ceiling()) return fmt::format("{}/part:{}/{}", place, part, measured_with);
  return fmt::format("{}/part:{}/{}:{}{}", place, part, name_of(variant->stage),
                     storage_of(*variant, config).text(), end);
}

void describe(Fields<EvaluationSchedule>& fields) {
  fields("each", &EvaluationSchedule::each, "iteration; null: nothing");
  fields("last", &EvaluationSchedule::last);
}

namespace {

// A case as a message: variants and algorithms by their names.
struct MeasurementMessage {
  std::string stage, variant;
  Config config;
  std::string part, measured_with;
  std::vector<CacheMode> modes;
};
struct TrainMessage {
  std::string name, algorithm;
  Config hyper;
  std::vector<PipelineRecord> pipelines;
  int32_t iterations = 10;
  std::optional<double> target;
  EvaluationSchedule evaluation = {};
};
struct CaseMessage {
  std::string name;
  Backend backend = Backend::cpu;
  std::string device, device_label;
  int32_t section = 0;
  ProblemSpec problem;
  std::optional<MeasurementMessage> measurement;
  std::optional<TrainMessage> train;
  std::optional<PeerSpec> peer;
};

void describe(Fields<MeasurementMessage>& fields) {
  using M = MeasurementMessage;
  fields("stage", &M::stage);
  fields("variant", &M::variant);
  fields("config", &M::config);
  fields("part", &M::part);
  fields("measured_with", &M::measured_with);
  fields("modes", &M::modes);
}

void describe(Fields<TrainMessage>& fields) {
  using M = TrainMessage;
  fields("name", &M::name);
  fields("algorithm", &M::algorithm);
  fields("hyper", &M::hyper);
  fields("pipelines", &M::pipelines);
  fields("iterations", &M::iterations);
  fields("target", &M::target);
  fields("evaluation", &M::evaluation);
}

void describe(Fields<CaseMessage>& fields) {
  using M = CaseMessage;
  fields("name", &M::name);
  fields("backend", &M::backend);
  fields("device", &M::device);
  fields("device_label", &M::device_label);
  fields("section", &M::section);
  fields("problem", &M::problem);
  fields("measurement", &M::measurement).omitted();
  fields("train", &M::train).omitted();
  fields("peer", &M::peer).omitted();
}

TrainMessage message_of(const TrainCase& train) {
  TrainMessage message{train.name,         train.recipe.algorithm->name,
                       train.recipe.hyper, {},
                       train.iterations,   train.target,
                       train.evaluation};
  for (const std::string& part : train.recipe.algorithm->parts)
    message.pipelines.push_back({part, records_of(train.recipe.of(part).steps)});
  return message;
}

TrainCase train_case_of(const TrainMessage& message, Backend backend) {
  const Algorithm& algorithm = algorithm_named(message.algorithm);
  TrainCase train{message.name,
                  {&algorithm, algorithm.hyper.parse(message.hyper.text()), {}},
                  message.iterations,
                  message.target,
                  message.evaluation};
  for (const auto& [part, steps] : message.pipelines)
    train.recipe.pipelines[part] = algorithm.parse(part, text_of(steps), backend);
  return train;
}

CaseMessage message_of(const Case& c) {
  CaseMessage message{c.name(),  c.backend, c.device, c.device_label, c.section,
                      c.problem, {},        {},       c.peer};
  if (c.train) message.train = message_of(*c.train);
  if (!c.trains())
    message.measurement = {std::string(name_of(c.variant->stage)),
                           c.variant->name,
                           c.config,
                           c.part,
                           c.measured_with,
                           c.modes};
  return message;
}

void set_measurement(const MeasurementMessage& message, const JsonField& json, Case& c) {
  const Stage stage = json.at("stage").word(stage_named);
  c.variant = &variant_named(stage, message.variant, c.backend);
  c.config = c.variant->space.parse(message.config.text());
  c.part = message.part;
  c.measured_with = message.measured_with;
  c.modes = message.modes;
}

Case case_from_json(const JsonField& json) {
  const auto message = read_as<CaseMessage>(json);
  Case c;
  c.backend = message.backend;
  c.device = message.device;
  c.device_label = message.device_label;
  c.section = message.section;
  c.problem = message.problem;
  c.peer = message.peer;
  if (message.train) c.train = train_case_of(*message.train, c.backend);
  if (message.measurement) set_measurement(*message.measurement, json.at("measurement"), c);
  if (!c.trains() && !message.measurement) json.fail("has nothing to do");
  return c;
}

Json case_json(const Case& c) { return to_json(message_of(c)); }

Json case_schema(Definitions& definitions) { return type_of<CaseMessage>().schema(definitions); }

}  // namespace

const Type& type_for(const Case*) {
  static const types::FormedType<Case> type(case_json, case_from_json, case_schema);
  return type;
}

}  // namespace alsbench
