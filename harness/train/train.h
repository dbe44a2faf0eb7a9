// SPDX-License-Identifier: Apache-2.0
// train(): the loop of a training: iterations, evaluation, the stopping rule. run_training() calls
// it, and makes the rest of a training of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/problem/team_problem.h"
#include "harness/record/case_record.h"
#include "harness/record/training_record.h"
#include "harness/train/algorithm.h"

namespace alsbench {

// Which factors become the model: those of the last iteration, or of the first one with the lowest
// test metric. The latter are copied to the host after each best iteration so far.
enum class Keep { last, best };

struct Checkpoint;

struct TrainOptions {
  Recipe recipe;
  int32_t rank = 100;
  float lambda = 0.05f;
  int iterations = 10;
  uint64_t seed = 42;
  std::optional<double> target;  // stop after the first iteration whose test metric is at most this
  EvaluationSchedule evaluation = {};
  bool keep_model = true;  // bring the factors to the host in the end
  Keep keep = Keep::last;
  int early_stop = 0;  // stop after so many iterations without a lower test metric; 0: never
  const std::atomic<bool>* interrupted = nullptr;  // once set, the iteration under way is the last
  // Where set, `checkpoint` gets what to go on from after every so many iterations but the last.
  int checkpoint_every = 0;
  std::function<void(const Checkpoint& checkpoint)> checkpoint = {};
  const Checkpoint* resume = nullptr;  // goes on after this one
  bool energy = false;  // of an iteration is measured, in iterations after the last one
};

struct TrainResult {
  std::vector<IterationRecord> iterations;
  std::vector<ModelMatrix> model;  // empty unless it is kept
  int64_t empty_users = 0;
  int64_t empty_items = 0;
  int64_t failed_rows = 0;  // rows of the last iteration whose solver reported an error
  int64_t overflows = 0;    // numbers that became infinite in the type they are read in
  int best_iteration = 0;   // the first with the lowest test metric; 0 where there is none
  int kept_iteration = 0;   // whose factors the model has
  bool reached_target = false;
  bool stopped_early = false;
  bool interrupted = false;
  int64_t transferred_ratings =
      0;  // that devices read from the host in each iteration, of both sides
  int64_t peak_device_bytes = 0;   // of the problem and the training, at their highest on a device
  std::optional<TeamRecord> team;  // of several devices
  TrainingEnergy energy;           // nothing unless it was asked for
  double upload_seconds = 0;       // of the ratings; 0 where that was done before
  double setup_seconds = 0;        // upload, compilation, allocation, warm-up
};

// State from which a training that was ended resumes, with the bits that it would have had.
struct Checkpoint {
  std::vector<IterationRecord> iterations;  // that are done
  std::vector<ModelMatrix> model;           // that they left
  std::vector<ModelMatrix> kept;            // the best one's; empty where none is kept so far
  int kept_iteration = 0;
  CopyState copies;
};

// That of an iteration that has been done, from 1 on.
inline const IterationRecord& iteration_record(const TrainResult& result, int iteration) {
  return result.iterations.at(static_cast<size_t>(iteration) - 1);
}

// How a device holds the ratings of a training by this recipe.
inline RatingsResidency residency_of(const Recipe& recipe) {
  const auto streams = recipe.algorithm->streams;
  return streams != nullptr && streams(recipe) ? RatingsResidency::as_fits
                                               : RatingsResidency::whole;
}

using TrainProgress = std::function<void(const IterationRecord&)>;

// Throws ObjectionError when a pipeline cannot run on the set, OutOfMemoryError, NonFiniteError.
TrainResult train(Team& team, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress = {});
TrainResult train(Device& device, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress = {});
// The same on a problem that has been uploaded before; rank and lambda are the problem's.
TrainResult train(const TeamProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress = {});
// The same as one member, which all others do at once, or on a device alone.
TrainResult train(const DeviceProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress = {});

// Where a training runs.
struct TrainingPlace {
  Team& team;
  const RatingSet& set;
  const TeamProblem* problem = nullptr;  // the set on the team's devices, where it is there already
};

inline TrainResult train(const TrainingPlace& place, const TrainOptions& options,
                         const TrainProgress& progress = {}) {
  return place.problem != nullptr ? train(*place.problem, options, progress)
                                  : train(place.team, place.set, options, progress);
}

// Gives steps to those pipelines of the options' recipe that have none. Returns what a tuning
// database said of those that it chose.
using ChoosePipelines =
    std::function<TunedOrigins(TrainOptions& options, const RatingSet& set, const Team& team)>;

}  // namespace alsbench
