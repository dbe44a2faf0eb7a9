// The accuracy gate of a tuning of pipelines: which precisions, with how few CG steps, train to the
// RMSE that is asked. Used by the tuner of pipelines alone.
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

PipelineSides with_steps(const PipelineSides& pair, int steps);

// A precision's plain pair of pipelines, whose times can be compared with those of others: what is
// faster of a precision hangs on chance yet.
struct PlainPair {
  Precision precision;
  PipelineSides pipelines;
  double expected = 0;  // seconds of an iteration
};
// In order of the expected times.
std::vector<PlainPair> plain_pairs(const std::map<Precision, CandidatePairs>& pairs);

class AccuracyGate {
 public:
  using Attempt = std::function<Trial(const PipelineSides&)>;  // trains, judges, keeps the trial
  AccuracyGate(TrialRunner& lab, Goal goal, Attempt attempt, std::function<bool()> out_of_time);

  // Tries a precision, in the order of plain_pairs, for the fewest CG steps with which it passes.
  void admit(const PlainPair& plain);

 private:
  bool passes(const PlainPair& plain, const PipelineSides& pipelines);

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
