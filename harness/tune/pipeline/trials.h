// SPDX-License-Identifier: Apache-2.0
// Training runs of recipes: how accurate they are against exact FP32, and how fast.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/tune/pipeline/pipeline_playoff.h"
#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

// All of `result` that training runs give is kept here: trials, metrics, and the time spent.
class Trials {
 public:
  Trials(TrialRunner& runner, const PipelineTuneOptions& options, PipelineTuning& result)
      : runner_(runner), options_(options), result_(result) {}

  // Of the recipe that accuracy is judged by, before any attempt. Throws EnvironmentError where it
  // cannot be trained, UsageError where the goal needs test ratings and there are none.
  void measure_exact();
  // Trains a recipe to see whether it is accurate enough, and how fast it is.
  const Trial& attempt(const Recipe& recipe, const std::string& purpose);
  // One training run of the playoff; nothing where it failed, or missed its target.
  std::optional<PlayoffRun> play(const Recipe& recipe);
  // Seconds of each part, means over options.iterations; nothing where the training failed.
  std::optional<std::map<std::string, double>> part_means(const Recipe& recipe);
  // Iterations beyond any target, with their metric; nothing where the training failed.
  std::optional<std::vector<IterationRecord>> whole_run(const Recipe& recipe);

 private:
  const Algorithm& algorithm() const { return runner_.algorithm(); }
  bool to_target() const { return options_.goal == Goal::time_to_target; }
  // `kind`: what its iterations are counted as.
  TrialRun train(const Recipe& recipe, const TrialLength& length, double TimeSpent::*kind);
  TrialLength until_target() const;
  // The metric that is judged: of the test ratings, where there are any.
  double metric_of(const TrialRun& training) const;
  double metric_of(const IterationRecord& record) const;
  double worst_deviation(const TrialRun& training) const;

  TrialRunner& runner_;
  const PipelineTuneOptions& options_;
  PipelineTuning& result_;
  std::vector<double> exact_metrics_;  // of the exact recipe, after each iteration
};

}  // namespace alsbench
