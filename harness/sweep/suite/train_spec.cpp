// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/train_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/peers/placeholders.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

std::string placeholder(const std::string& axis) { return "{" + axis + "}"; }

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

// Every {name} of the text must be that of an axis.
void check_placeholders(const std::string& text, const std::vector<Axis>& axes,
                        const JsonField& json) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  for (const std::string& name : placeholders_in(text)) {
    if (std::ranges::find(names, name) != names.end()) continue;
    json.report(names.empty() ? fmt::format("'{}' stands for a value of 'axes', and there are none",
                                            placeholder(name))
                              : unknown_name("axis", name, names));
  }
}

// A part's pipeline, and where it stands.
struct Placed {
  std::string part;
  const PipelineEntry* entry = nullptr;
  JsonField json;
};

// One for each part of the algorithm. What is amiss is an error.
std::vector<Placed> placed_pipelines(const TrainEntry& entry, const JsonField& json,
                                     const std::vector<std::string>& parts) {
  std::vector<Placed> placed;
  if (entry.pipeline) {
    for (const std::string& part : parts)
      placed.push_back({part, &*entry.pipeline, json.at("pipeline")});
    return placed;
  }
  const JsonField list = json.at("pipelines");
  const std::vector<JsonField> elements = list.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto& [part, pipeline] = entry.pipelines[i];
    if (std::ranges::find(parts, part) == parts.end())
      elements[i].at("part").report(unknown_name("part", part, parts));
    else if (std::ranges::any_of(
                 placed, [&, &name = part](const Placed& other) { return other.part == name; }))
      elements[i].at("part").report(fmt::format("'{}' has a pipeline already", part));
    else
      placed.push_back({part, &pipeline, elements[i].at("pipeline")});
  }
  if (placed.size() < parts.size())
    list.report(fmt::format("needs a pipeline of each part: {}; or give 'pipeline' for all of them",
                            fmt::join(parts, ", ")));
  return placed;
}

// Throws UsageError where the text is no pipeline with the first values of its axes; that it is
// none with others is an error.
void check_pipeline(const TrainSpec& spec, const Placed& placed, Backend backend) {
  bool first = true;
  for (const std::string& filled :
       fillings(spec.pipelines.at(backend).at(placed.part), spec.axes)) {
    if (is_choice(filled)) continue;
    if (first)
      spec.algorithm->parse(placed.part, filled, backend);
    else
      placed.json.attempt([&] { spec.algorithm->parse(placed.part, filled, backend); });
    first = false;
  }
}

// A text given for all backends may be right on one only; one that is right on none is an error.
void check_pipelines(TrainSpec& spec, const std::vector<Placed>& placed) {
  std::vector<std::pair<const Placed*, std::string>> problems;
  const auto fails = [&](const auto& of_backend) {
    for (const Placed& one : placed) try {
        check_pipeline(spec, one, of_backend.first);
      } catch (const UsageError& error) {
        problems.emplace_back(&one,
                              fmt::format("on {}: {}", name_of(of_backend.first), error.what()));
        return true;
      }
    return false;
  };
  std::vector<Backend> failed;
  for (const auto& of_backend : spec.pipelines)
    if (fails(of_backend)) failed.push_back(of_backend.first);
  for (const Backend backend : failed) spec.pipelines.erase(backend);
  const bool for_all =
      std::ranges::all_of(placed, [](const Placed& one) { return one.entry->all.has_value(); });
  if (for_all && !spec.pipelines.empty()) return;
  for (const auto& [one, problem] : problems) one->json.report(problem);
}

// The pipelines of all parts on the backends that have all.
void set_pipelines(const TrainEntry& entry, const JsonField& json, TrainSpec& spec) {
  const std::vector<Placed> placed = placed_pipelines(entry, json, spec.algorithm->parts);
  if (placed.size() < spec.algorithm->parts.size()) return;
  for (const Placed& one : placed)
    for (const Backend backend :
         one.entry->all ? backends_of(entry.backend) : backends_of(Backends::all))
      if (const auto text = one.entry->on(backend)) {
        check_placeholders(*text, spec.axes, one.json);
        spec.pipelines[backend][one.part] = *text;
      }
  std::erase_if(spec.pipelines, [&](const auto& of) { return of.second.size() < placed.size(); });
  if (spec.pipelines.empty()) json.report("has no backend with a pipeline of each part");
  if (!json.is_sound()) return spec.pipelines.clear();
  check_pipelines(spec, placed);
}

Config hyper_of(const TrainEntry& entry, const JsonField& json, const Algorithm& algorithm) {
  Config hyper = algorithm.hyper.default_config();
  for (const auto& [name, value] : entry.hyper) {
    const Parameter* parameter = algorithm.hyper.find(name);
    const JsonField place = json.at("hyper").at(name);
    // Words are values of parameters that list theirs alone.
    if (!value.is_number && parameter != nullptr && parameter->open)
      place.report(fmt::format("must be a number, is '{}'", value.text));
    else
      place.attempt([&, &key = name, &text = value.text] {
        hyper = hyper.with(key, parse_hyper(algorithm, fmt::format("{}={}", key, text)).get(key));
      });
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

TrainSpec train_of(const TrainEntry& entry, const JsonField& json) {
  TrainSpec spec;
  spec.algorithm =
      entry.algorithm.empty() ? &default_algorithm() : &algorithm_named(entry.algorithm);
  if (!json.is_sound()) return spec;
  spec.name = entry.name;
  spec.hyper = hyper_of(entry, json, *spec.algorithm);
  spec.axes = axes_of(entry.axes);
  check_placeholders(spec.name, spec.axes, json.at("name"));
  for (const Axis& axis : spec.axes)
    if (spec.name.find(placeholder(axis.name)) == std::string::npos)
      json.at("axes").at(axis.name).report(
          fmt::format("the name '{}' has no '{}', so the training runs of all values would "
                      "have one name",
                      spec.name, placeholder(axis.name)));
  spec.iterations = entry.iterations;
  spec.target = entry.target;
  set_pipelines(entry, json, spec);
  return spec;
}

void check_train_names(const std::vector<TrainSpec>& train,
                       const std::vector<JsonField>& elements) {
  std::map<std::pair<std::string, Backend>, size_t> seen;
  for (size_t i = 0; i < train.size(); ++i)
    for (const std::string& name : fillings(train[i].name, train[i].axes))
      for (const auto& [backend, pipelines] : train[i].pipelines)
        if (const auto [first, fresh] = seen.try_emplace({name, backend}, i); !fresh)
          elements[i].at("name").report(
              fmt::format("'{}' is also the name of a training run of /train/{}; names must differ",
                          name, first->second));
}

}  // namespace alsbench
