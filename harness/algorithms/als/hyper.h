// SPDX-License-Identifier: Apache-2.0
// The hyper-parameters of ALS: how it starts, what speeds up its first iterations, and biases.
#pragma once

#include "variants/core/parameter_space.h"

namespace alsbench {

// Initial Theta: random numbers; 1 and random numbers; 1 and a sketch of the ratings.
enum class Start { uniform, constant, sketch };

// Defaults: training without hyper-parameters.
struct AlsHyper {
  Start start = Start::uniform;
  double sketch_share = 0.25;
  int rotated_iterations = 0;
  float over_relaxation = 0;
  double first_share = 1;
  bool biases = false;

  explicit AlsHyper(const Config& config);  // parameters that it lacks are at their default
  // Whether nothing but `biases` is off its default.
  bool only_biases() const {
    return start == Start::uniform && rotated_iterations == 0 && over_relaxation == 0 &&
           first_share == 1;
  }
};

ParameterSpace als_hyper_space();

}  // namespace alsbench
