// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/train_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/sweep/suite/suite_reader.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

std::string placeholder(const std::string& axis) { return "{" + axis + "}"; }

// A pipeline: one text for all backends, or one each: {"cuda": ..., "cpu": ...}.
std::map<Backend, std::string> read_pipeline_texts(SuiteReader& reader, const Json& json,
                                                   const std::string& pointer,
                                                   const std::string& key) {
  std::map<Backend, std::string> texts;
  if (!json.contains(key)) return texts;
  const Json& value = json[key];
  if (value.is_object()) {
    reader.object(value, pointer + "/" + key, {"cuda", "cpu"}, {});
    for (const Backend backend : {Backend::cuda, Backend::cpu})
      if (value.contains(name_of(backend)))
        texts[backend] = reader.text(value, pointer + "/" + key, std::string(name_of(backend)), "");
    return texts;
  }
  const std::string text = reader.text(json, pointer, key, "");
  for (const Backend backend : reader.backends(json, pointer)) texts[backend] = text;
  return texts;
}

// The text with every combination of the values of the axes that it names.
std::vector<std::string> fillings(const std::string& text, const std::vector<Axis>& axes) {
  std::vector<std::string> texts{text};
  for (const Axis& axis : axes) {
    if (text.find(placeholder(axis.name)) == std::string::npos) continue;
    std::vector<std::string> filled;
    for (const std::string& open : texts)
      for (const std::string& value : axis.values)
        filled.push_back(fill_placeholders(open, {{axis.name, value}}));
    texts = std::move(filled);
  }
  return texts;
}

// Every {name} of the text must be that of an axis. Whether it is so.
bool check_placeholders(SuiteReader& reader, const std::string& text, const std::vector<Axis>& axes,
                        const std::string& pointer) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  bool known = true;
  for (size_t begin = text.find('{'); begin != std::string::npos;
       begin = text.find('{', begin + 1)) {
    const size_t end = text.find('}', begin);
    if (end == std::string::npos) break;
    const std::string name = text.substr(begin + 1, end - begin - 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    reader.error(pointer, names.empty()
                              ? fmt::format("'{}' stands for a value of 'axes', and there are none",
                                            placeholder(name))
                              : unknown_name("axis", name, names));
    known = false;
  }
  return known;
}

// Throws UsageError where the text is no pipeline with the first values of its axes; that it is
// none with others is an error.
void check_pipeline(SuiteReader& reader, const TrainSpec& spec, const std::string& text,
                    const std::string& part, Backend backend, const std::string& pointer) {
  bool first = true;
  for (const std::string& filled : fillings(text, spec.axes)) {
    if (is_choice(filled)) continue;
    if (first)
      spec.algorithm->parse(part, filled, backend);
    else
      reader.attempt(pointer, [&] { spec.algorithm->parse(part, filled, backend); });
    first = false;
  }
}

// A text given for "auto" may be right on one backend only; one that is right on none is an error.
void check_pipelines(SuiteReader& reader, TrainSpec& spec, const std::string& pointer,
                     bool same_text_everywhere) {
  std::vector<std::string> problems;
  for (auto entry = spec.pipelines.begin(); entry != spec.pipelines.end();) {
    try {
      for (const std::string& part : spec.algorithm->parts)
        check_pipeline(reader, spec, entry->second.at(part), part, entry->first, pointer);
      ++entry;
    } catch (const UsageError& error) {
      problems.push_back(fmt::format("on {}: {}", name_of(entry->first), error.what()));
      entry = spec.pipelines.erase(entry);
    }
  }
  if (problems.empty() || (same_text_everywhere && !spec.pipelines.empty())) return;
  for (const std::string& problem : problems) reader.error(pointer, problem);
}

std::string key_of(const std::string& part) { return "pipeline_" + part; }

// "both 'pipeline_x' and 'pipeline_theta'"
std::string all_keys(const Algorithm& algorithm) {
  std::string text = algorithm.parts.size() == 2 ? "both " : "all of ";
  for (size_t i = 0; i < algorithm.parts.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : " and ", key_of(algorithm.parts[i]));
  return text;
}

// The pipelines of all parts on the backends that have all.
void read_pipelines(SuiteReader& reader, const Json& json, const std::string& pointer,
                    TrainSpec& spec) {
  const std::vector<std::string>& parts = spec.algorithm->parts;
  const bool shared = json.contains("pipeline");
  const auto apart = std::count_if(parts.begin(), parts.end(), [&](const std::string& part) {
    return json.contains(key_of(part));
  });
  if (apart != (shared ? 0 : std::ssize(parts)))
    reader.error(pointer, "needs either 'pipeline' alone or " + all_keys(*spec.algorithm));
  bool known = true;
  for (const std::string& part : parts) {
    const std::string key = shared ? "pipeline" : key_of(part);
    for (const auto& [backend, text] : read_pipeline_texts(reader, json, pointer, key)) {
      known = check_placeholders(reader, text, spec.axes, pointer + "/" + key) && known;
      spec.pipelines[backend][part] = text;
    }
    if (shared) break;
  }
  if (shared)
    for (auto& [backend, texts] : spec.pipelines)
      for (const std::string& part : parts) texts[part] = texts.at(parts.front());
  std::erase_if(spec.pipelines,
                [&](const auto& entry) { return entry.second.size() < parts.size(); });
  if (!known) return spec.pipelines.clear();
  const std::string first = shared ? "pipeline" : key_of(parts.front());
  check_pipelines(reader, spec, pointer + "/" + first, SuiteReader::is_text(json, first));
}

const Algorithm& read_algorithm(SuiteReader& reader, const Json& json, const std::string& pointer) {
  const Algorithm* algorithm = &default_algorithm();
  const std::string name = reader.text(json, pointer, "algorithm", algorithm->name);
  reader.attempt(pointer + "/algorithm", [&] { algorithm = &algorithm_named(name); });
  return *algorithm;
}

// Words are values of parameters that list theirs alone.
bool is_value(const Parameter* parameter, const Json& value) {
  return value.is_number() || (value.is_string() && !(parameter != nullptr && parameter->open));
}

// Under "hyper": an object of names and numbers or words.
Config read_hyper(SuiteReader& reader, const Json& json, const std::string& pointer,
                  const Algorithm& algorithm) {
  Config hyper = algorithm.hyper.default_config();
  if (!json.contains("hyper")) return hyper;
  if (!json["hyper"].is_object()) {
    reader.error(pointer + "/hyper", "must be an object of names and values");
    return hyper;
  }
  for (const auto& [name, value] : json["hyper"].items()) {
    const std::string place = fmt::format("{}/hyper/{}", pointer, name);
    const std::string text =
        fmt::format("{}={}", name, value.is_string() ? value.get<std::string>() : value.dump());
    if (!is_value(algorithm.hyper.find(name), value))
      reader.error(place, fmt::format("must be a number, is {}", value.dump()));
    else
      reader.attempt(place,
                     [&] { hyper = hyper.with(name, parse_hyper(algorithm, text).get(name)); });
  }
  return hyper;
}

}  // namespace

bool is_choice(std::string_view text) {
  return text == kTunedText || text == kNeighbourText || text == kDefaultText;
}

std::string fill_placeholders(std::string text,
                              const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string open = placeholder(name);
    for (size_t at = text.find(open); at != std::string::npos;
         at = text.find(open, at + value.size()))
      text.replace(at, open.size(), value);
  }
  return text;
}

TrainSpec read_train(SuiteReader& reader, const Json& json, const std::string& pointer) {
  TrainSpec spec;
  spec.algorithm = &read_algorithm(reader, json, pointer);
  const std::string target_key = "target_" + spec.algorithm->metric;
  std::vector<std::string> keys{"name",    "algorithm", "hyper",      "pipeline",
                                "backend", "axes",      "iterations", target_key};
  for (const std::string& part : spec.algorithm->parts) keys.push_back(key_of(part));
  if (!reader.object(json, pointer, keys, {"name"})) return spec;
  spec.name = reader.text(json, pointer, "name", "");
  if (SuiteReader::is_text(json, "name") && spec.name.empty())
    reader.error(pointer + "/name", "must not be empty");
  spec.hyper = read_hyper(reader, json, pointer, *spec.algorithm);
  spec.axes = reader.axes(json, pointer);
  check_placeholders(reader, spec.name, spec.axes, pointer + "/name");
  for (const Axis& axis : spec.axes)
    if (spec.name.find(placeholder(axis.name)) == std::string::npos)
      reader.error(pointer + "/axes/" + axis.name,
                   fmt::format("the name '{}' has no '{}', so that the training runs of all values "
                               "would have one name",
                               spec.name, placeholder(axis.name)));
  spec.iterations = static_cast<int>(reader.integer(json, pointer, "iterations", 10, 1, 10000));
  if (json.contains(target_key))
    spec.target = reader.number(json, pointer, target_key, 1, 1e-6, 1e6);
  read_pipelines(reader, json, pointer, spec);
  return spec;
}

void check_train_names(SuiteReader& reader, const std::vector<TrainSpec>& train) {
  std::map<std::pair<std::string, Backend>, size_t> seen;
  for (size_t i = 0; i < train.size(); ++i)
    for (const std::string& name : fillings(train[i].name, train[i].axes))
      for (const auto& [backend, pipelines] : train[i].pipelines)
        if (const auto [first, fresh] = seen.try_emplace({name, backend}, i); !fresh)
          reader.error(fmt::format("/train/{}/name", i),
                       fmt::format("'{}' is also the name of a training run of /train/{}; "
                                   "names must differ",
                                   name, first->second));
}

}  // namespace alsbench
