// SPDX-License-Identifier: Apache-2.0
// The accuracy gate of a tuning of pipelines. It trains recipes to find which precisions reach the
// metric that is asked, and at which rung of their accuracy ladders.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "harness/tune/pipeline/pipeline_playoff.h"

namespace alsbench {

// Recipes up to this many times as slow as the best that passed are tried.
constexpr double kMaxSlowdownToTry = 1.1;

// The recipe with all its pipelines on that rung.
Recipe on_rung(const Recipe& original, size_t rung);

// A representative recipe of a precision. For each part it has the pipeline with the fewest
// non-default settings among those about as fast as the fastest. Stage timings are too noisy here
// to rank finer.
struct Representative {
  Precision precision;
  Recipe recipe;
  double expected = 0;  // seconds of an iteration
};
// In order of the expected times.
std::vector<Representative> representatives(const Recipe& begun,
                                            const std::map<Precision, Candidates>& found);

class AccuracyGate {
 public:
  using Attempt = std::function<Trial(const Recipe&)>;  // trains, judges, keeps the trial
  AccuracyGate(TrialRunner& runner, Goal goal, Attempt attempt, std::function<bool()> out_of_time);

  // Tries a precision, in the order of representatives, for the cheapest rung on which it passes.
  void admit(const Representative& representative);

 private:
  bool passes(const Representative& representative, const Recipe& pipelines);
  // Goes from the rung `begin` to cheaper ones as long as they pass. Where `begin` fails, goes to
  // more exact ones until one passes.
  void descend(const Representative& representative, size_t begin);

  TrialRunner& runner_;
  const bool timed_;  // the goal is the time of an iteration
  const Attempt attempt_;
  const std::function<bool()> out_of_time_;
  // The rung that the precision which passed last needed. Before one has: that of the defaults.
  std::optional<size_t> enough_;
  double last_seconds_ = 0;                                           // of the last run that passed
  double passed_seconds_ = std::numeric_limits<double>::infinity();   // the least of those
  double passed_expected_ = std::numeric_limits<double>::infinity();  // of their precisions
};

}  // namespace alsbench
