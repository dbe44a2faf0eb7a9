// SPDX-License-Identifier: Apache-2.0
// PipelineTuningDocument: what `alsbench tune pipeline --json` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/pipeline_record.h"
#include "harness/record/provenance.h"
#include "harness/sweep/suite/suite.h"
#include "harness/tune/database/tuned_entry.h"
#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/pipeline/recipe_energy.h"
#include "harness/tune/search/tuning_document.h"

namespace alsbench {

struct TunedShape {
  std::string part;
  Shape shape;
};

struct TunedProblem {
  std::string name;
  ProblemSpec problem;
  std::vector<TunedShape> shapes;
  DataRecord data;
};

struct PipelineSearchRecord {
  // The recipe that the search began with.
  struct WarmStart {
    std::vector<PipelineRecord> pipelines;
    std::string reason;
    bool taken = false;
  };
  std::optional<WarmStart> warm_start;
  std::string strategy;
  uint64_t seed = 0;
  int64_t stage_evaluations = 0;
  double budget_seconds = 0;
  int64_t evaluations = 0;
  int64_t playoff_rounds = 0;
};

struct GateRecord {
  int iterations = 0;
  double tolerance = 0;
  bool test_ratings = true;  // else the training ratings
  std::string metric;        // its name
  double exact = 0, target = 0, test = 0;
  double worst_deviation = 0;
};

struct StageSearchRecord {
  std::string part, stage;
  std::string skipped, refines, stop_reason;
  int64_t evaluations = 0;
  std::vector<StepRecord> best;
  // NaN where nothing was found or the default failed.
  double best_seconds = 0, default_seconds = 0;
  double elapsed = 0, measuring = 0;
  double compiling = 0, preparing = 0, verifying = 0;  // NaN in documents of older versions
};

struct TrialRecord {
  std::string purpose;
  std::vector<PipelineRecord> pipelines;
  Outcome outcome = Outcome::ok;
  std::string detail;
  double metric = 0, worst_deviation = 0, seconds = 0;
  bool passed = false;
};

struct ContenderRecord {
  struct PartSeconds {
    std::string part;
    std::vector<double> seconds;
  };
  std::vector<PipelineRecord> pipelines;
  bool is_default = false, eligible = true;
  std::vector<PartSeconds> parts;
  std::vector<double> totals;
};

struct PartChoiceRecord {
  std::string part;
  std::vector<StepRecord> pick, default_pick;
  double median_seconds = 0, default_seconds = 0;  // NaN where the default failed
  std::vector<std::vector<StepRecord>> ties;
  std::optional<std::vector<CountedStep>> counters;
};

struct HyperSearchRecord {
  Config pick;
  double seconds = 0, default_seconds = 0;
  std::vector<HyperTrial> trials;
};

struct PipelineTuningDocument {
  TunedTraining training;
  Provenance provenance;
  DeviceRecord device;
  int members = 1;
  TunedProblem problem;
  Goal goal = Goal::time;
  PipelineSearchRecord search;
  GateRecord gate;
  std::vector<StageSearchRecord> stages;
  std::vector<TrialRecord> trials;
  std::vector<ContenderRecord> playoff;
  std::vector<PartChoiceRecord> parts;
  std::optional<HyperSearchRecord> hyper;
  std::optional<RecipeEnergyFront> energy;  // where it was asked for
  TimeSpent time;
};

// The pipelines of a recipe, in the order of the algorithm's parts.
std::vector<PipelineRecord> records_of(const Recipe& recipe);

void describe(Fields<TunedShape>& fields);
void describe(Fields<TunedProblem>& fields);
void describe(Fields<PipelineSearchRecord::WarmStart>& fields);
void describe(Fields<PipelineSearchRecord>& fields);
void describe(Fields<GateRecord>& fields);
void describe(Fields<StageSearchRecord>& fields);
void describe(Fields<TrialRecord>& fields);
void describe(Fields<ContenderRecord::PartSeconds>& fields);
void describe(Fields<ContenderRecord>& fields);
void describe(Fields<PartChoiceRecord>& fields);
void describe(Fields<HyperTrial>& fields);
void describe(Fields<HyperSearchRecord>& fields);
void describe(Fields<TimeSpent>& fields);
void describe(Fields<PipelineTuningDocument>& fields);

}  // namespace alsbench
