// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of trainings: options of a small training, its factors, a bad rating.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "harness/device/team.h"
#include "harness/train/train.h"
#include "tests/unit/rating_sets.h"
#include "variants/als/pipelines.h"

namespace alsbench {

// One pipeline on the CPU for all parts.
inline Recipe recipe_of(const Algorithm& algorithm, const std::string& pipeline,
                        const std::string& hyper = "") {
  const PipelineGrammar& grammar = algorithm.pipelines(algorithm.parts.front());
  Recipe recipe = uniform_recipe(algorithm, parse_pipeline(grammar, pipeline, Backend::cpu));
  recipe.hyper = parse_hyper(algorithm, hyper);
  return recipe;
}

inline TrainOptions options_of(const std::string& pipeline) {
  TrainOptions options;
  options.recipe = recipe_of(default_algorithm(), pipeline);
  options.rank = 8;
  options.lambda = 0.02f;
  options.iterations = 6;
  return options;
}

// Threads of the CPU, each a member.
inline std::unique_ptr<Team> team_of_cpus(int members) {
  std::string name = "cpu";
  for (int i = 1; i < members; ++i) name += "+cpu";
  return open_team(name);
}

inline std::vector<float> factors_of(const TrainResult& result, const std::string& name) {
  for (const ModelMatrix& matrix : result.model)
    if (matrix.name == name) return matrix.values;
  ADD_FAILURE() << "the model has no matrix " << name;
  return {};
}

inline RatingSet set_with_an_infinite_rating() {
  RatingSet set = planted_set(50, 30, 0.4);
  std::vector<float> values(set.by_user.values.begin(), set.by_user.values.end());
  values[0] = std::numeric_limits<float>::infinity();
  set.by_user.values = Array<float>(values);
  set.by_item = transpose(set.by_user);
  return set;
}

}  // namespace alsbench
