// SPDX-License-Identifier: Apache-2.0
// SuiteRecord: what a result document says of the suite that was run.
#pragma once

#include <cstdint>
#include <string>

#include "harness/record/fields/enum_names.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

// Kind of answer that a report of a result begins with (docs/reference/report.md).
enum class Answer {
  fastest,
  iteration,
  rates,
  shares,
  growth,
  scaling,
  target,
  distance,
  accuracy,
  programs,
  change
};

// When there are enough samples of a case.
struct StopRule {
  int64_t min_samples = 5;
  int64_t max_samples = 50;
  double max_noise = 0.005;  // wanted relative IQR of the median
  double max_seconds = 10;   // of one case
};

struct SuiteRecord {
  std::string name;
  std::string description;
  Answer answer = Answer::fastest;
  std::string hash;  // of the file's content
  StopRule sampling;
  double timeout_seconds = 0;  // of one request to a worker
};

void describe(Fields<StopRule>& fields);
void describe(Fields<SuiteRecord>& fields);

}  // namespace alsbench
