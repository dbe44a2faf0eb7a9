// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/algorithms.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"

namespace alsbench {
namespace {

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

const std::vector<Algorithm>& all_algorithms() {
  static const std::vector<Algorithm> list{als(), implicit_als(), sgd(), ccd()};
  return list;
}

const Algorithm& default_algorithm() { return all_algorithms().front(); }

const Algorithm& algorithm_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : all_algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw UsageError(unknown_name("algorithm", name, names));
}

const Algorithm& algorithm_of_feedback(std::string_view feedback) {
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.feedback == feedback) return algorithm;
  throw UsageError(unknown_name("feedback", feedback, all_feedback()));
}

bool is_tuned(const Algorithm& algorithm) {
  return &algorithm == &algorithm_of_feedback(algorithm.feedback);
}

std::vector<std::string> parts_with(Stage stage) {
  const auto has_stage = [&](const std::vector<Stage>& form) {
    return std::find(form.begin(), form.end(), stage) != form.end();
  };
  std::vector<std::string> parts;
  for (const Algorithm& algorithm : all_algorithms())
    for (const std::string& part : algorithm.parts) {
      const auto& forms = algorithm.pipelines(part).forms;
      if (std::any_of(forms.begin(), forms.end(), has_stage)) add_once(part, parts);
    }
  return parts.empty() ? default_algorithm().parts : parts;
}

std::vector<std::string> all_parts() {
  std::vector<std::string> parts;
  for (const Algorithm& algorithm : all_algorithms())
    for (const std::string& part : algorithm.parts) add_once(part, parts);
  return parts;
}

std::vector<std::string> all_metrics() {
  std::vector<std::string> metrics;
  for (const Algorithm& algorithm : all_algorithms()) add_once(algorithm.metric, metrics);
  return metrics;
}

std::vector<std::string> all_feedback() {
  std::vector<std::string> feedback;
  for (const Algorithm& algorithm : all_algorithms()) add_once(algorithm.feedback, feedback);
  return feedback;
}

}  // namespace alsbench
