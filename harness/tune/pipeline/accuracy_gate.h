// SPDX-License-Identifier: Apache-2.0
// The accuracy gate of a tuning of pipelines: which precisions, with how few CG steps, train to the
// RMSE that is asked.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "harness/tune/pipeline/pipeline_playoff.h"

namespace alsbench {

// Of expected times, over the best that passed: what may be slower by that much is worth a try.
constexpr double kWorthATry = 1.1;

// How many times faster a pipeline may be with other CG steps than those it was searched with.
// Nothing gains more than what gathers the factors anew in each step, and once more: matrix_free.
double most_gained(int searched_steps, int steps);

Recipe with_steps(const Recipe& recipe, int steps);

// A representative recipe of a precision. For each part it has the pipeline with the fewest
// non-default settings among those about as fast as the fastest. Stage timings are too noisy here
// to rank finer.
struct PlainRecipe {
  Precision precision;
  Recipe recipe;
  double expected = 0;  // seconds of an iteration
};
// In order of the expected times.
std::vector<PlainRecipe> plain_recipes(const Algorithm& algorithm,
                                       const std::map<Precision, Candidates>& found);

class AccuracyGate {
 public:
  using Attempt = std::function<Trial(const Recipe&)>;  // trains, judges, keeps the trial
  AccuracyGate(TrialRunner& lab, Goal goal, Attempt attempt, std::function<bool()> out_of_time);

  // Tries a precision, in the order of plain_recipes, for the fewest CG steps with which it passes.
  void admit(const PlainRecipe& plain);

 private:
  bool passes(const PlainRecipe& plain, const Recipe& pipelines);

  TrialRunner& lab_;
  const bool timed_;  // the goal is the time of an iteration
  const Attempt attempt_;
  const std::function<bool()> out_of_time_;
  size_t enough_steps_;      // an index: what the precision that passed last needed
  double last_seconds_ = 0;  // of the last run that passed
  double passed_seconds_ = std::numeric_limits<double>::infinity();   // the least of those
  double passed_expected_ = std::numeric_limits<double>::infinity();  // of their precisions
};

}  // namespace alsbench
