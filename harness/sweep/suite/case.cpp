// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/case.h"

#include <fmt/format.h>

#include <utility>

#include "harness/algorithms/algorithms.h"
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
    text += fmt::format("/{}/part:{}", problem.name(), part);
  }
  if (!device_label.empty()) text += "/device:" + device_label;
  if (is_roof()) text += "/beside:" + beside;
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
  if (is_roof()) return fmt::format("{}/part:{}/{}", place, part, beside);
  return fmt::format("{}/part:{}/{}:{}{}", place, part, name_of(variant->stage),
                     storage_of(*variant, config).text(), end);
}

void describe(Fields<Judging>& fields) {
  fields("each", &Judging::each, "iteration; null: nothing");
  fields("last", &Judging::last);
}

Json to_json(const Case& c) {
  Json json{{"name", c.name()},     {"backend", name_of(c.backend)},
            {"device", c.device},   {"device_label", c.device_label},
            {"section", c.section}, {"problem", to_json(c.problem)}};
  if (c.train) {
    json["train"] = {{"name", c.train->name},
                     {"recipe", to_json(c.train->recipe)},
                     {"iterations", c.train->iterations},
                     {"target", c.train->target ? Json(*c.train->target) : Json(nullptr)},
                     {"judging", to_json(c.train->judging)}};
    return json;
  }
  if (c.peer) {
    json["peer"] = to_json(*c.peer);
    return json;
  }
  json["stage"] = name_of(c.variant->stage);
  json["variant"] = c.variant->name;
  json["config"] = c.config.text();
  json["part"] = c.part;
  json["beside"] = c.beside;
  json["modes"] = Json::array();
  for (const CacheMode mode : c.modes) json["modes"].push_back(name_of(mode));
  return json;
}

Case case_from_json(const JsonField& json) {
  Case c;
  c.backend = json.at("backend").word(backend_named);
  c.device = json.at("device").text();
  c.device_label = json.at("device_label").text();
  c.section = json.at("section").integer32();
  c.problem = read_as<ProblemSpec>(json.at("problem"));
  if (const auto train = json.find("train")) {
    c.train = TrainCase{train->at("name").text(), recipe_from_json(train->at("recipe"), c.backend),
                        train->at("iterations").integer32(), optional_number(train->find("target")),
                        read_as<Judging>(train->at("judging"))};
    return c;
  }
  if (const auto peer = json.find("peer")) {
    c.peer = peer_spec_from_json(*peer);
    return c;
  }
  const Stage stage = json.at("stage").word(stage_named);
  c.variant = &variant_named(stage, json.at("variant").text(), c.backend);
  c.config = c.variant->space.parse(json.at("config").text());
  c.part = json.at("part").text();
  c.beside = json.at("beside").text();
  for (const std::string& mode : json.at("modes").texts())
    c.modes.push_back(mode == "cold" ? CacheMode::cold : CacheMode::hot);
  return c;
}

const Type& type_for(const Case*) {
  static const types::FormedType<Case> type([](const Case& c) { return to_json(c); },
                                            case_from_json);
  return type;
}

}  // namespace alsbench
