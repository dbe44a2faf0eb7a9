// SPDX-License-Identifier: Apache-2.0
// PipelineRecord: a pipeline as documents have it. It names variants by text, so a document of a
// program with other variants can be read; steps_of looks them up.
#pragma once

#include <string>
#include <vector>

#include "harness/record/fields/fields.h"
#include "variants/core/config.h"
#include "variants/pipeline.h"

namespace alsbench {

struct StepRecord {
  std::string stage;    // "solve"
  std::string variant;  // "cg"
  Config config;        // complete
  friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

struct PipelineRecord {
  std::string part;  // of the model, that the pipeline updates
  std::vector<StepRecord> steps;
  friend bool operator==(const PipelineRecord&, const PipelineRecord&) = default;
};

std::vector<StepRecord> records_of(const std::vector<PipelineStep>& steps);
// Throws UsageError where this program lacks a stage, a variant or a value.
std::vector<PipelineStep> steps_of(const std::vector<StepRecord>& records, Backend backend);
// The text form of variants/pipeline.h, for tables: "hermitian:tiled:tile=8/solve:cg:steps=6".
std::string text_of(const std::vector<StepRecord>& records);

void describe(Fields<StepRecord>& fields);
void describe(Fields<PipelineRecord>& fields);

}  // namespace alsbench
