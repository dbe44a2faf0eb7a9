// SPDX-License-Identifier: Apache-2.0
// The tuner of whole pipelines. It searches the stages of each part apart and puts pipelines
// together. An accuracy gate lets through what trains to the metric of exact FP32. An interleaved
// playoff of training runs decides. docs/explanation/tuning-algorithm.md gives the reasons.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/outcome.h"
#include "harness/record/training_record.h"
#include "harness/train/algorithm.h"
#include "harness/tune/database/tuned_entry.h"
#include "harness/tune/pipeline/hyper_search.h"
#include "harness/tune/pipeline/pipeline_candidates.h"
#include "harness/tune/pipeline/warm_start.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

struct PipelineTuneOptions {
  Goal goal = Goal::time;
  int iterations = 10;  // of training
  // Let through: metric <= (1 + tolerance) * that of exact FP32, in each iteration from the second
  // on. Where the goal is time to the target: after the last iteration.
  double tolerance = 0.001;
  std::string strategy = "guided";
  uint64_t seed = 1;
  int64_t stage_evaluations = 16;   // of one stage for one part
  int64_t refine_evaluations = 60;  // around one step of a pipeline that passed
  // For the searches and the gate, counted from when the exact and the default recipe were trained.
  // Unless given: 100, or four times what these two took where that is more.
  std::optional<double> budget_seconds;
  size_t max_contenders = 12;  // of the playoff, the default apart
  int playoff_rounds = 20;     // at most
  int playoff_iterations = 6;  // of a training run of the playoff, where the goal is time
  // Pipelines that near shapes were tuned to (warm_start.h). Where it passes and is no slower than
  // the default, only what is around the two is searched, with half the evaluations and contenders.
  std::optional<WarmStart> warm_start = {};
};

// How long a training run goes on, and what it tells.
struct TrialLength {
  int iterations = 1;
  std::optional<double> target = {};  // of the metric, which ends it
  EvaluationSchedule evaluation = {std::nullopt, EvaluatedRatings::test};
  bool energy = false;  // of an iteration is measured after the last one
};

// One training run.
struct TrialRun {
  Outcome outcome = Outcome::ok;
  std::string detail;  // of another outcome
  std::vector<IterationRecord> iterations;
  bool reached_target = false;
  double measured_seconds = 0;  // of the iterations and their metric
  double setup_seconds = 0;     // memory, loading kernels, a warm-up
  double wait_seconds = 0;      // for compilers
  TrainingEnergy energy = {};   // nothing unless it was asked for
};

// Where the time of a tuning went, once the data were loaded. Measuring is the device time that
// serves the choice: samples of stages, and iterations of training runs with their metric.
struct TimeSpent {
  double compiling = 0;  // the device waited for compilers
  double preparing = 0;  // inputs of stages, loading kernels, memory and warm-up of training runs
  double verifying = 0;  // of points of the searches
  double sampling = 0;   // samples of the searches
  double accuracy = 0;   // training runs that decide what is accurate enough
  double playoff = 0;    // training runs of the playoff
  double total = 0;
  double data = 0;  // before: the worker's start; ratings loaded or generated, and uploaded
  double measuring() const { return sampling + accuracy + playoff; }
  // Strategies, talking to the worker, starting it again.
  double other() const { return total - compiling - preparing - verifying - measuring(); }
};

// Measures for the tuner: searches stages, and trains recipes.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  // The recipe to train, without pipelines: the algorithm and its hyper-parameters.
  virtual const Recipe& recipe() const = 0;
  const Algorithm& algorithm() const { return *recipe().algorithm; }
  virtual const DeviceTraits& traits() const = 0;
  virtual Shape shape(const std::string& part) const = 0;
  virtual TuningResult search(const std::string& part, const SearchSpace& space,
                              const TuneOptions& options, const std::vector<Evaluation>& known) = 0;
  // A fault of a pipeline is an outcome; throws Interrupted, UsageError, EnvironmentError.
  virtual TrialRun train(const Recipe& pipelines, const TrialLength& length) = 0;
  // These are likely to be measured or trained later, in this order: compile them meanwhile.
  virtual void expect(const std::string& part, const SearchSpace& space,
                      const std::vector<size_t>& points) = 0;
  virtual void expect(const Recipe& pipelines) = 0;
  virtual double data_seconds() const = 0;        // TimeSpent::data
  virtual double elapsed_seconds() const = 0;     // since then
  virtual void say(const std::string& line) = 0;  // progress, for people
};

// A search of one stage for one part, or why there was none.
struct StageSearch {
  std::string part;
  Stage stage = nullptr;
  std::string skipped;  // the reason; empty: it was searched
  std::string refines;  // precision and rung that were held; empty: the whole stage
  TuningResult result;
  std::vector<PipelineStep> best;   // the tie set, the choice first
  std::vector<std::string> faulty;  // texts of the steps that were wrong, crashed or hung
};

// A training run that decided whether a recipe is accurate enough.
struct Trial {
  Recipe pipelines;
  std::string purpose;  // "exact", "default", "warm_start", "gate", "rematch", "check", "late"
  Outcome outcome = Outcome::ok;
  std::string detail;
  double metric = 0;           // after the last iteration
  double worst_deviation = 0;  // off the exact metric, as a share of it, in the worst iteration
  double seconds = 0;          // an iteration (median), or to the target
  bool passed = false;
};

struct Contender {
  Recipe pipelines;
  bool is_default = false;
  bool eligible = true;  // it passed, or has the precision and rung of one that did
  // Medians of the half-iterations of a training run each.
  std::map<std::string, std::vector<double>> seconds;
  // Of an iteration, or to the target, one a training run in which the two met.
  std::vector<double> totals;
};

struct PartChoice {
  std::string part;
  Pipeline pick, fallback;  // fallback: the default it is compared with
  // Of one half-iteration, a mean where late ones take fewer steps; to the target for
  // Goal::time_to_target.
  double median_seconds = 0;
  double default_seconds = 0;
  std::vector<Pipeline> ties;  // the pick among them
};

struct PipelineTuning {
  double exact_metric = 0, target_metric = 0;
  bool test_ratings = true;  // the metric is of the test ratings, else of the training ratings
  std::vector<StageSearch> stages;
  std::vector<Trial> trials;
  std::vector<Contender> playoff;
  std::vector<PartChoice> parts;  // one each, in the algorithm's order
  double metric = 0;              // of the choice, after options.iterations
  double worst_deviation = 0;     // of the choice, as Trial has it
  // Of the algorithm's hyper-parameters, with the chosen pipelines; for Goal::time_to_target.
  std::optional<HyperSearch> hyper;
  bool around_warm_start = false;  // PipelineTuneOptions::warm_start was taken
  double budget_seconds = 0;       // as asked for, or found
  int64_t evaluations = 0;         // configurations and recipes measured
  TimeSpent time;
};

// Throws EnvironmentError where not even the exact pipeline can be trained.
PipelineTuning tune_pipelines(TrialRunner& runner, const PipelineTuneOptions& options);

}  // namespace alsbench
