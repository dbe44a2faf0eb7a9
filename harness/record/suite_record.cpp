// SPDX-License-Identifier: Apache-2.0
#include "harness/record/suite_record.h"

namespace alsbench {

void describe(Fields<StopRule>& fields) {
  fields.record("sampling", "When a measurement has enough samples.");
  fields("min_samples", &StopRule::min_samples).range(Range::Kind::from_1);
  fields("max_samples", &StopRule::max_samples).range(Range::Kind::from_1);
  fields("max_noise", &StopRule::max_noise, "wanted relative interquartile range of the median")
      .range(Range::Kind::share);
  fields("max_seconds", &StopRule::max_seconds, "of one measurement").range(Range::Kind::above_0);
}

void describe(Fields<SuiteRecord>& fields) {
  fields.record("suite", "The suite of a run.");
  fields("name", &SuiteRecord::name);
  fields("description", &SuiteRecord::description);
  fields("answer", &SuiteRecord::answer, "the kind of answer to its question").omitted();
  fields("hash", &SuiteRecord::hash, "of the file's content");
  fields("sampling", &SuiteRecord::sampling);
  fields("timeout_seconds", &SuiteRecord::timeout_seconds, "of one request to a worker");
}

}  // namespace alsbench
