// SPDX-License-Identifier: Apache-2.0
// The tuner of one search space. It asks a strategy for points and measures them on an objective.
// An interleaved playoff of the best points, a set of ties and a fixed order among these decide.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/fields/fields.h"
#include "harness/tune/search/objective.h"
#include "harness/tune/search/strategy.h"

namespace alsbench {

struct Budget {
  int64_t evaluations = std::numeric_limits<int64_t>::max();         // distinct points measured
  double seconds = std::numeric_limits<double>::infinity();          // the playoff may go beyond
  double playoff_seconds = std::numeric_limits<double>::infinity();  // after it no round begins
};

struct SamplingPlan {
  int64_t estimate_samples = 3;   // of every point
  int64_t contender_samples = 9;  // of a point within `contender_margin` of the best
  double contender_margin = 0.05;
  double bail_out = 2;           // a point whose sample is this much slower than the best gets no
                                 // more; 0: never
  int64_t playoff_samples = 11;  // of every finalist, interleaved; 0: no playoff
  double playoff_margin = 0.03;  // finalists are within this of the best
  size_t max_finalists = 12;
  double tie_margin = 0.005;  // finalists whose medians differ by less are tied, and those whose
                              // difference is within their noise
};

void describe(Fields<SamplingPlan>& fields);

struct Progress {
  int64_t evaluations = 0;  // so far
  int64_t planned = 0;      // by budget and space; the most there can be
  size_t best = 0;
  double best_seconds = 0;
  std::optional<double> share_of_ceiling;
  double wait_seconds = 0;  // for the compiler, so far
  bool playoff = false;
};

struct TuneOptions {
  std::string strategy = "guided";
  StrategyOptions strategy_options;
  std::vector<size_t> first = {};  // points measured after the default, before the strategy begins
  Budget budget;
  SamplingPlan sampling;
  std::function<void(const Evaluation&, bool playoff)> on_evaluation;  // each measurement: journal
  // Before a point is measured, and before the playoff with no point.
  std::function<void(std::optional<size_t> point)> on_start = {};
  std::function<void(const Progress&)> on_progress;
};

struct TuningResult {
  std::string strategy;
  uint64_t seed = 1;
  std::string stop_reason;  // "finished", "evaluations" or "seconds"
  int64_t evaluations = 0;  // distinct points measured
  double elapsed_seconds = 0, measure_seconds = 0, prepare_seconds = 0;
  double verify_seconds = 0;  // part of prepare_seconds
  double wait_seconds = 0;    // for the compiler

  size_t best = 0;              // the choice; see found()
  double best_seconds = 0;      // medians: of the playoff's samples where there was one
  double default_seconds = 0;   // infinite where the default failed
  std::vector<size_t> tie_set;  // in order of choice, the best first
  std::vector<size_t> finalists;
  std::vector<Evaluation> points;  // one a point, in order of first measurement, samples joined

  bool found = false;  // some point is ok
  // default / best: 1 where the default is the choice.
  double margin() const { return best_seconds > 0 ? default_seconds / best_seconds : 0; }
};

// The points that a tuning measures first: the default, and the first turn of its strategy.
std::vector<size_t> first_points(const SearchSpace& space, const TuneOptions& options);

// `known`: evaluations of an interrupted tuning of this space, which are not measured again.
TuningResult tune(const SearchSpace& space, Objective& objective, const TuneOptions& options,
                  const std::vector<Evaluation>& known = {});

// A result as documents and journals have it.
struct TuningResultRecord {
  TuningResult effort;              // its strategy, seed, evaluations and seconds
  std::optional<PointRecord> best;  // nothing: no point could be measured
  double best_seconds = 0;          // NaN likewise
  PointRecord fallback;
  double default_seconds = 0;  // NaN where the default failed
  std::vector<PointRecord> tie_set, finalists;
  std::vector<EvaluationRecord> points;
};
TuningResultRecord record_of(const TuningResult& result, const SearchSpace& space);
// Throws UsageError where the space lacks a point.
TuningResult result_of(const TuningResultRecord& record, const SearchSpace& space);

void describe(Fields<TuningResult>& fields);  // the effort
void describe(Fields<TuningResultRecord>& fields);

}  // namespace alsbench
