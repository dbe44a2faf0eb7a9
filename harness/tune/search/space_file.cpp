// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/space_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/files/strict_json.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/suite_reader.h"
#include "harness/tune/search/strategy.h"

namespace alsbench {
namespace {

constexpr double kMostBudget = 1e9;

// kernel_tuner writes the values of a parameter as a text that holds a list: "[1, 2]" or "['a']".
std::vector<std::string> values_of(SuiteReader& reader, const Json& parameter,
                                   const std::string& pointer) {
  if (!parameter.contains("Values") || !parameter["Values"].is_string())
    return reader.texts(parameter, pointer, "Values");
  std::string text = parameter["Values"];
  std::replace(text.begin(), text.end(), '\'', '"');
  try {
    const Json list = parse_json(text, "its text");
    if (list.is_array()) return reader.texts({{"Values", list}}, pointer, "Values");
  } catch (const UsageError&) {  // is no list either
  }
  reader.error(pointer + "/Values",
               fmt::format("'{}' is no list; write [16, 32] or \"[16, 32]\"", visible(text)));
  return {};
}

void read_parameters(SuiteReader& reader, const Json& space, const std::string& pointer,
                     SpaceFile& file) {
  for (const auto& [json, place] : reader.array(space, pointer, "TuningParameters")) {
    if (!reader.object(*json, place, {"Name", "Type", "Values", "Default"}, {"Name", "Values"}))
      continue;
    file.axes.push_back({reader.text(*json, place, "Name", ""), values_of(reader, *json, place)});
  }
}

void read_space(SuiteReader& reader, const Json& json, SpaceFile& file) {
  if (!json.contains("ConfigurationSpace")) return;
  const Json& space = json["ConfigurationSpace"];
  const std::string pointer = "/ConfigurationSpace";
  if (!reader.object(space, pointer, {"TuningParameters", "Conditions", "Tied"}, {})) return;
  read_parameters(reader, space, pointer, file);
  for (const auto& [condition, place] : reader.array(space, pointer, "Conditions")) {
    if (!reader.object(*condition, place, {"Expression", "Parameters"}, {"Expression"})) continue;
    reader.attempt(place, [&, element = condition, where = place] {
      file.conditions.emplace_back(reader.text(*element, where, "Expression", ""));
    });
  }
  for (const auto& [names, place] : reader.array(space, pointer, "Tied"))
    file.tied.push_back(reader.texts({{"Tied", *names}}, pointer, "Tied"));
}

void read_search(SuiteReader& reader, const Json& json, SpaceFile& file) {
  if (!json.contains("Search")) return;
  const Json& search = json["Search"];
  if (!reader.object(search, "/Search", {"Name", "Attributes"}, {"Name"})) return;
  file.strategy = reader.text(search, "/Search", "Name", "");
  const auto& known = strategy_names();
  if (std::find(known.begin(), known.end(), *file.strategy) == known.end())
    reader.error("/Search/Name", unknown_name("strategy", *file.strategy, known));
  for (const auto& [attribute, place] : reader.array(search, "/Search", "Attributes")) {
    if (!reader.object(*attribute, place, {"Name", "Value"}, {"Name", "Value"})) continue;
    const std::string name = reader.text(*attribute, place, "Name", "");
    if (name == "seed")
      file.seed = reader.integer(*attribute, place, "Value", 1, 0, INT64_MAX);
    else
      reader.error(place + "/Name", unknown_name("attribute", name, {"seed"}));
  }
}

void read_budget(SuiteReader& reader, const Json& json, SpaceFile& file) {
  for (const auto& [budget, place] : reader.array(json, "", "Budget")) {
    if (!reader.object(*budget, place, {"Type", "BudgetValue"}, {"Type", "BudgetValue"})) continue;
    const std::string type = reader.text(*budget, place, "Type", "");
    if (type == "ConfigurationCount")
      file.evaluations =
          reader.integer(*budget, place, "BudgetValue", 1, 1, static_cast<int64_t>(kMostBudget));
    else if (type == "TuningDuration")
      file.seconds = reader.number(*budget, place, "BudgetValue", 1, 0.001, kMostBudget);
    else
      reader.error(place + "/Type",
                   unknown_name("budget", type, {"ConfigurationCount", "TuningDuration"}));
  }
}

void throw_errors(const SuiteReader& reader, const std::string& source) {
  if (!reader.errors().empty())
    throw UsageError(fmt::format("{}:\n  {}", source, fmt::join(reader.errors(), "\n  ")));
}

}  // namespace

SpaceFile parse_space_file(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  SuiteReader reader;
  SpaceFile file;
  // General and KernelSpecification belong to T1 and say nothing here.
  if (reader.object(
          json, "",
          {"$schema", "General", "ConfigurationSpace", "KernelSpecification", "Search", "Budget"},
          {})) {
    read_space(reader, json, file);
    read_search(reader, json, file);
    read_budget(reader, json, file);
  }
  throw_errors(reader, source);
  return file;
}

void check_space_file(const SpaceFile& file, const std::vector<const Variant*>& variants,
                      const std::string& source) {
  SuiteReader reader;
  const auto add = [&](const char* list, size_t index, const std::optional<std::string>& problem) {
    if (problem) reader.error(fmt::format("/ConfigurationSpace/{}/{}", list, index), *problem);
  };
  for (size_t i = 0; i < file.axes.size(); ++i)
    for (const std::string& value : file.axes[i].values)
      add("TuningParameters", i, axis_problem(variants, file.axes[i].name, value));
  for (size_t i = 0; i < file.conditions.size(); ++i)
    add("Conditions", i, condition_problem(variants, file.conditions[i]));
  for (size_t i = 0; i < file.tied.size(); ++i) add("Tied", i, tie_problem(variants, file.tied[i]));
  throw_errors(reader, source);
}

}  // namespace alsbench
