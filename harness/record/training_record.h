// SPDX-License-Identifier: Apache-2.0
// TrainingRecord: what a training case ran and how it converged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/contention.h"
#include "harness/record/energy_record.h"
#include "harness/record/fields/fields.h"
#include "harness/record/pipeline_record.h"
#include "variants/core/config.h"

namespace alsbench {

// Where the time of a member of a team went in an iteration.
struct MemberSeconds {
  double work = 0;
  double exchange = 0;  // with the waiting for other members
};

// Time and errors of one iteration of a training.
struct IterationRecord {
  int iteration = 0;          // from 1
  double train_metric = 0;    // NaN where it was not asked for
  double test_metric = 0;     // likewise, and without test ratings
  double seconds = 0;         // on the device, of a team the slowest, evaluation apart
  double wall_seconds = 0;    // the same by the host's steady clock
  double metric_seconds = 0;  // of the evaluation
  std::map<std::string, double> stage_seconds;  // "x/hermitian" -> seconds, of the first member
  double mean_solver_steps = 0;   // over all rows, 0 of direct solvers; NaN where nothing was asked
  int64_t cold_test_ratings = 0;  // predicted by the training mean
  std::vector<MemberSeconds> members = {};  // none of a single device
  double exchange_seconds = 0;              // without the waiting
  Contention contention = {};               // during it, in its wall time
};

void describe(Fields<MemberSeconds>& fields);
void describe(Fields<IterationRecord>& fields);

struct PredictedSeconds {
  int members = 0;
  double largest_share = 0;  // of the work that falls to a member
  double seconds = 0;        // of an iteration
};

// A training on several devices: what its exchanges bring, how fast, and what an iteration should
// take for that on teams of several sizes.
struct TeamRecord {
  int members = 0;
  double latency_seconds = 0;   // of an exchange, whatever it carries
  double bytes_per_second = 0;  // that a member receives
  int exchanges = 0;            // of an iteration
  int64_t exchanged_bytes = 0;  // of all rows that they bring together, and no update hides
  double work_seconds = 0;      // of all members together: the median of the iterations
  std::vector<PredictedSeconds> predicted;
};

void describe(Fields<PredictedSeconds>& fields);
void describe(Fields<TeamRecord>& fields);

// Energy of an iteration, where it was asked for: measured, or why it is missing.
struct TrainingEnergy {
  std::optional<EnergyRecord> measured;
  std::string missing;
};

void describe(Fields<TrainingEnergy>& fields);

// Result of a training; nothing of one that did not end.
struct TrainingResult {
  bool reached_target = false;
  double setup_seconds = 0;
  int64_t failed_rows = 0;
  std::optional<int64_t> overflows;  // nothing where a file does not say
  int64_t empty_users = 0;
  int64_t empty_items = 0;
  std::optional<TeamRecord> team = {};  // of several devices
  TrainingEnergy energy = {};
};

// The training of one process launch.
struct TrainingLaunch {
  std::vector<IterationRecord> iterations;
  std::optional<TrainingResult> result;

  double seconds() const;  // of all iterations
  // The median of an iteration but the first, which warms up; nothing where there is none.
  std::optional<double> iteration_seconds() const;
};

// The share of the iterations' wall time that other work took.
double taken_share(const std::vector<IterationRecord>& iterations);
// Whether that share makes their times doubtful.
bool disturbed(const std::vector<IterationRecord>& iterations);

// Task of a training.
struct RecipeRecord {
  std::string algorithm;
  Config hyper;                           // of the algorithm
  std::string metric;                     // its name: "rmse"
  std::vector<PipelineRecord> pipelines;  // one for each part of the model
  std::optional<double> target;           // of the metric on the test ratings
};

struct TrainingRecord : RecipeRecord {
  std::vector<TrainingLaunch> launches{1};  // at least one

  const TrainingLaunch& first() const { return launches.front(); }
};

void describe(Fields<TrainingResult>& fields);
void describe(Fields<TrainingLaunch>& fields);
void describe(Fields<RecipeRecord>& fields);
void describe(Fields<TrainingRecord>& fields);

}  // namespace alsbench
