// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/record/json.h"
#include "variants/core/expression_tree.h"

namespace alsbench {
namespace {

// Names of parameters, and these with the words that are values.
struct RecordedNames {
  std::set<std::string> parameters, all;
};

RecordedNames names_in(const SearchSpace& space) {
  RecordedNames names;
  for (const SearchPoint& point : space.points())
    for (const auto& [name, value] : point.config.entries()) {
      names.parameters.insert(name);
      names.all.insert(value);
    }
  names.all.insert(names.parameters.begin(), names.parameters.end());
  return names;
}

void check_names(const SearchSpace& space, const SpaceFile& file, const std::string& source) {
  const RecordedNames names = names_in(space);
  DocumentErrors errors;
  const auto check = [&](const char* list, size_t index, const std::string& name,
                         const std::set<std::string>& known) {
    if (!known.contains(name))
      errors.add(FieldError(fmt::format("/ConfigurationSpace/{}/{}", list, index),
                            unknown_name("recorded parameter", name,
                                         {names.parameters.begin(), names.parameters.end()})));
  };
  for (size_t i = 0; i < file.axes.size(); ++i)
    check("TuningParameters", i, file.axes[i].name, names.parameters);
  for (size_t i = 0; i < file.conditions.size(); ++i)
    for (const std::string& name : file.conditions[i].names())
      check("Conditions", i, name, names.all);
  if (!file.tied.empty())
    errors.add(FieldError("/ConfigurationSpace/Tied",
                          "cannot restrict a recording; write it as a condition"));
  errors.throw_of(source);
}

// Python's booleans are the numbers 1 and 0.
std::string_view without_boolean(std::string_view value) {
  return value == "True" ? "1" : value == "False" ? "0" : value;
}

// Numbers are compared by value: "Values": [1, 2] admits 1.0, which numpy recorded.
bool same_value(std::string_view recorded, std::string_view named) {
  if (recorded == named) return true;
  const auto number = number_in(without_boolean(recorded));
  return number && number == number_in(without_boolean(named));
}

// A condition that names True or False compares texts.
bool holds(const Condition& condition, const Config& config) {
  for (const char* word : {"True", "False"})
    if (condition.text().find(word) != std::string::npos) return condition.holds(config);
  Config numbers = config;
  for (const auto& [name, value] : config.entries()) numbers.set(name, without_boolean(value));
  return condition.holds(numbers);
}

bool admits(const SpaceFile& file, const Config& config) {
  const auto on_axis = [&](const Axis& axis) {
    return !config.has(axis.name) ||
           std::ranges::any_of(axis.values, [&](const std::string& value) {
             return same_value(config.get(axis.name), value);
           });
  };
  return std::ranges::all_of(file.axes, on_axis) &&
         std::ranges::all_of(file.conditions,
                             [&](const Condition& condition) { return holds(condition, config); });
}

bool has_all(const Config& config, const std::vector<std::pair<std::string, std::string>>& values) {
  return std::ranges::all_of(values, [&](const auto& value) {
    return config.has(value.first) && same_value(config.get(value.first), value.second);
  });
}

}  // namespace

Recording restricted(Recording recording, const SpaceFile& file, const std::string& source) {
  if (file.axes.empty() && file.conditions.empty() && file.tied.empty()) return recording;
  check_names(recording.space, file, source);
  const SearchSpace& space = recording.space;
  std::vector<SearchPoint> points;
  std::vector<Evaluation> evaluations;
  std::string fallback = space[space.default_point()].text();
  for (size_t p = 0; p < space.size(); ++p) {
    if (!admits(file, space[p].config)) continue;
    points.push_back(space[p]);
    evaluations.push_back(recording.evaluations[p]);
    evaluations.back().point = points.size() - 1;
    if (!file.defaults.empty() && has_all(space[p].config, file.defaults))
      fallback = space[p].text();
  }
  if (points.empty())
    throw UsageError(
        fmt::format("{}: /ConfigurationSpace: admits none of the {} recorded points; "
                    "leave out values or conditions",
                    source, space.size()));
  recording.space = SearchSpace(std::move(points), fallback);
  recording.evaluations = std::move(evaluations);
  expect_work(recording);
  return recording;
}

std::string default_problem(const Recording& part, const SpaceFile& file) {
  const SearchPoint& begin = part.space[part.space.default_point()];
  if (has_all(begin.config, file.defaults)) return "";
  const Config named(file.defaults);
  return fmt::format("no recorded point that it admits has its defaults {}; {} is the default",
                     named.text(), begin.text());
}

Evaluation ReplayObjective::measure(size_t point, int64_t samples, double give_up_seconds) {
  const Evaluation& recorded = recording_.evaluations.at(point);
  size_t& served = served_[point];
  const bool first = served == 0;
  Evaluation result = recorded;
  result.seconds.clear();
  if (!first)
    result.wait_seconds = result.prepare_seconds = result.verify_seconds = result.compile_seconds =
        0;
  const size_t total = recorded.seconds.size();
  while (served < total && static_cast<int64_t>(result.seconds.size()) < samples) {
    const double seconds = recorded.seconds[served++];
    result.seconds.push_back(seconds);
    if (give_up_seconds > 0 && seconds > give_up_seconds) break;
  }
  const double share =
      total > 0 ? static_cast<double>(result.seconds.size()) / static_cast<double>(total) : 1.0;
  result.measure_seconds = recorded.measure_seconds * share;
  elapsed_seconds_ += result.spent_seconds();
  return result;
}

}  // namespace alsbench
