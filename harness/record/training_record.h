// SPDX-License-Identifier: Apache-2.0
// TrainingRecord: what a training case ran and how it converged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/iteration_record.h"
#include "harness/record/pipeline_record.h"
#include "harness/record/team_record.h"
#include "variants/core/config.h"

namespace alsbench {

// Result of a training; nothing of one that did not end.
struct TrainingResult {
  bool reached_target = false;
  double setup_seconds = 0;
  int64_t failed_rows = 0;
  std::optional<int64_t> overflows;  // nothing where a file does not say
  int64_t empty_users = 0;
  int64_t empty_items = 0;
  std::optional<TeamRecord> team = {};  // of several devices
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

struct TrainingRecord {
  std::string algorithm;
  Config hyper;                             // of the algorithm
  std::string metric;                       // its name: "rmse"
  std::vector<PipelineRecord> pipelines;    // one for each part of the model
  std::optional<double> target;             // of the metric on the test ratings
  std::vector<TrainingLaunch> launches{1};  // at least one

  const TrainingLaunch& first() const { return launches.front(); }
};

void describe(Fields<TrainingResult>& fields);
void describe(Fields<TrainingLaunch>& fields);
void describe(Fields<TrainingRecord>& fields);

}  // namespace alsbench
