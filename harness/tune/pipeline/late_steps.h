// SPDX-License-Identifier: Apache-2.0
// Fewer CG steps in a training's late iterations, once everything else is chosen.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

struct LateSteps {
  Recipe recipe;
  Trial trial;  // in which it passed
  // Of each part's half-iteration, means of trainings in turn. Those of the default are empty where
  // it cannot be trained.
  std::map<std::string, double> seconds, default_seconds;
};

// Trains a recipe, and gives each part's mean seconds an iteration; nothing where it cannot.
using TrainForMeans = std::function<std::optional<std::map<std::string, double>>(const Recipe&)>;

// Takes steps away from the iterations from the fourth on, in every pipeline that has more than
// one, as long as the training passes. Nothing where none passes, or none is faster than `begin`.
std::optional<LateSteps> lower_late_steps(const Recipe& begin, const Recipe& fallback,
                                          const std::function<Trial(const Recipe&)>& attempt,
                                          const TrainForMeans& train);

// `pipeline` with the late steps of `other`, wherever a step of it may have some.
Pipeline with_late_steps_of(Pipeline pipeline, const Pipeline& other);

}  // namespace alsbench
