// SPDX-License-Identifier: Apache-2.0
// Case: one row of a run. It is a stage measurement of one configuration on one part of one
// problem, or a training run by a recipe or by a peer. Its name is its identity in filters,
// journals, results and comparisons.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/sweep/suite/suite.h"
#include "harness/train/algorithm.h"

namespace alsbench {

struct TrainCase {
  std::string name;
  Recipe recipe;
  int32_t iterations = 10;
  std::optional<double> target;  // of the test metric
  EvaluationSchedule evaluation = {};
};

struct Case {
  Backend backend = Backend::cpu;
  std::string device = "cpu";  // as open_device takes it
  std::string device_label;    // part of the name where a run has several CUDA devices
  ProblemSpec problem;

  // A stage measurement, unless `train` or `peer` is set.
  const Variant* variant = nullptr;
  Config config;
  std::string part;  // of an algorithm: "x"
  std::vector<CacheMode> modes;
  std::string measured_with;  // a ceiling: the group of cases it is measured among
  int section = 0;            // of its group, where that has too many cases to be measured at once
  std::optional<int64_t> number;  // place in what was selected, before shards; of a ceiling nothing

  std::optional<TrainCase> train;
  std::optional<PeerSpec> peer;

  TunedOrigins tuned;  // empty where the suite named the configuration

  bool is_ceiling() const { return !measured_with.empty(); }
  bool trains() const { return train || peer; }  // a whole model
  // "hermitian/tiled/cuda/gather=strided,l1=on/netflix/rank:100/part:x"
  std::string name() const;
  std::string measurement_name(CacheMode mode) const;  // with "/cold" or "/hot"
  // Cases of one group share a worker and the stage's inputs and are measured interleaved. No group
  // is divided among shards.
  std::string group() const;
};

void describe(Fields<ProblemSpec>& fields);
void describe(Fields<EvaluationSchedule>& fields);
// As a planner sends it to a worker. Reading throws UsageError for what was not written so.
const Type& type_for(const Case*);

}  // namespace alsbench
