// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/hyper_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/record/escape.h"
#include "harness/tune/pipeline/pipeline_choice.h"

namespace alsbench {
namespace {

constexpr int kRounds = 3;      // trainings with the same values
constexpr double kGain = 0.99;  // of the seconds: what a value must beat to be taken
constexpr double kMaxFinalMetricRatio =
    1e-4;  // of the metric: by how much a recipe may end above the default

std::optional<HyperTrial> trial_of(const Config& hyper, double target, const TrainHyper& train) {
  HyperTrial trial{.hyper = hyper, .metric = std::numeric_limits<double>::infinity()};
  std::vector<double> seconds;
  for (int round = 0; round < kRounds; ++round) {
    const auto iterations = train(hyper);
    if (!iterations) return std::nullopt;
    double sum = 0;
    trial.reached = false;
    for (const IterationRecord& record : *iterations) {
      if (!trial.reached) sum += record.seconds;
      trial.reached = trial.reached || record.test_metric <= target;
      trial.metric = std::min(trial.metric, record.test_metric);
    }
    seconds.push_back(sum);
  }
  trial.seconds = median_of(seconds);
  return trial;
}

}  // namespace

std::string text_of(const HyperTrial& trial, const std::string& metric) {
  return fmt::format("{}: {:.3f} ms {}, at best {} {:.5f}", trial.hyper.text(), 1e3 * trial.seconds,
                     trial.reached ? "to the target" : "without reaching the target",
                     upper_case(metric), trial.metric);
}

std::optional<HyperSearch> search_hyper(const std::vector<Parameter>& parameters,
                                        const Config& begin, double target, const TrainHyper& train,
                                        const std::function<void(const HyperTrial&)>& on_trial) {
  std::optional<HyperTrial> first = trial_of(begin, target, train);
  if (!first) return std::nullopt;
  first->passed = first->reached;
  on_trial(*first);
  HyperSearch search{{*first}, 0};
  const double limit = first->metric * (1 + kMaxFinalMetricRatio);
  for (const Parameter& parameter : parameters) {
    const Config base = search.chosen().hyper;
    for (const Value& value : parameter.values) {
      if (base.is(parameter.name, value.text)) continue;
      std::optional<HyperTrial> trial =
          trial_of(base.with(parameter.name, value.text), target, train);
      if (!trial) continue;
      trial->passed = trial->reached && trial->metric <= limit;
      on_trial(*trial);
      search.trials.push_back(*trial);
      const HyperTrial& best = search.chosen();
      if (trial->passed && (!best.passed || trial->seconds < kGain * best.seconds))
        search.pick = search.trials.size() - 1;
    }
  }
  return search;
}

}  // namespace alsbench
