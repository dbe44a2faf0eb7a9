// SPDX-License-Identifier: Apache-2.0
// StrategiesDocument: search strategies on recorded spaces, as scripts/compare_strategies.py writes
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/provenance.h"

namespace alsbench {

struct StrategiesDocument {
  struct Row {
    std::string tool, strategy;
    int64_t seeds = 0, within_tenth = 0;
    std::optional<double> median_evaluations, median_regret, worst_regret;
    std::vector<std::optional<int64_t>> evaluations;  // one a seed
    std::vector<std::optional<double>> median_curve;
  };
  struct LeftOut {
    std::string strategy, reason;
  };
  struct Space {
    std::string recording, device;
    int64_t points = 0, near_points = 0, max_evaluations = 0;
    double default_over_best = 1;
    Provenance provenance;
    std::vector<Row> strategies;
    std::vector<LeftOut> left_out;
  };
  std::string git_commit, kernel_tuner;
  double within = 0;
  std::vector<Space> spaces;
};

void describe(Fields<StrategiesDocument::Row>& fields);
void describe(Fields<StrategiesDocument::LeftOut>& fields);
void describe(Fields<StrategiesDocument::Space>& fields);
void describe(Fields<StrategiesDocument>& fields);

}  // namespace alsbench
