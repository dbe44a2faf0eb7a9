// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/late_steps.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/tune/pipeline/pipeline_choice.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

constexpr int kLateRounds = 5;      // trainings with and without fewer late steps
constexpr double kLateGain = 0.99;  // of an iteration that they must gain

// The recipe with a step less from the fourth iteration on; nothing where no pipeline has two.
std::optional<Recipe> with_fewer_late_steps(const Recipe& recipe) {
  Recipe fewer = recipe;
  bool changed = false;
  for (auto& [part, pipeline] : fewer.pipelines)
    for (PipelineStep& step : pipeline.steps) {
      if (!step.config.has(parameters::kLateSteps.name)) continue;
      const Config late = parameters::late_config(step.config).value_or(step.config);
      const int steps = late.integer(parameters::kSteps.name) - 1;
      if (steps < 1) continue;
      step.config = step.config.with(parameters::kLateSteps.name, std::to_string(steps));
      changed = true;
    }
  return changed ? std::optional(std::move(fewer)) : std::nullopt;
}

// Each part's seconds, one a training.
using PartSeconds = std::map<std::string, std::vector<double>>;

bool add(const std::optional<std::map<std::string, double>>& means, PartSeconds& seconds) {
  if (!means) return false;
  for (const auto& [part, mean] : *means) seconds[part].push_back(mean);
  return true;
}

std::map<std::string, double> medians(const PartSeconds& seconds) {
  std::map<std::string, double> medians;
  for (const auto& [part, all] : seconds) medians[part] = median_of(all);
  return medians;
}

double sum(const std::map<std::string, double>& seconds) {
  double sum = 0;
  for (const auto& [part, one] : seconds) sum += one;
  return sum;
}

}  // namespace

std::optional<LateSteps> lower_late_steps(const Recipe& begin, const Recipe& fallback,
                                          const std::function<Trial(const Recipe&)>& attempt,
                                          const TrainForMeans& train) {
  std::optional<LateSteps> lowest;
  for (auto fewer = with_fewer_late_steps(begin); fewer; fewer = with_fewer_late_steps(*fewer)) {
    Trial trial = attempt(*fewer);
    if (!trial.passed) break;
    lowest = LateSteps{*fewer, std::move(trial), {}, {}};
  }
  if (!lowest) return std::nullopt;
  PartSeconds before, after, of_default;
  for (int round = 0; round < kLateRounds; ++round) {
    if (!add(train(begin), before) || !add(train(lowest->recipe), after)) return std::nullopt;
    add(train(fallback), of_default);
  }
  lowest->seconds = medians(after);
  lowest->default_seconds = medians(of_default);
  if (sum(lowest->seconds) > kLateGain * sum(medians(before))) return std::nullopt;
  return lowest;
}

Pipeline with_late_steps_of(Pipeline pipeline, const Pipeline& other) {
  const std::string name = parameters::kLateSteps.name;
  const auto has_some = [&](const PipelineStep& step) { return step.config.has(name); };
  const auto model = std::ranges::find_if(other.steps, has_some);
  if (model == other.steps.end()) return pipeline;
  for (PipelineStep& step : pipeline.steps)
    if (has_some(step)) step.config = step.config.with(name, model->config.get(name));
  return pipeline;
}

}  // namespace alsbench
