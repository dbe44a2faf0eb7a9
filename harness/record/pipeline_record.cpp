// SPDX-License-Identifier: Apache-2.0
#include "harness/record/pipeline_record.h"

#include <fmt/format.h>

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

std::string text_of(const StepRecord& record) {
  std::string text = fmt::format("{}:{}", record.stage, record.variant);
  if (!record.config.entries().empty()) text += ":" + record.config.text();
  return text;
}

}  // namespace

std::vector<StepRecord> records_of(const std::vector<PipelineStep>& steps) {
  std::vector<StepRecord> records;
  for (const PipelineStep& step : steps)
    records.push_back({std::string(name_of(step.variant->stage)), step.variant->name, step.config});
  return records;
}

std::vector<PipelineStep> steps_of(const std::vector<StepRecord>& records, Backend backend) {
  std::vector<PipelineStep> steps;
  for (const StepRecord& record : records) steps.push_back(parse_step(text_of(record), backend));
  return steps;
}

std::string text_of(const std::vector<StepRecord>& records) {
  std::string text;
  for (const StepRecord& record : records) text += (text.empty() ? "" : "/") + text_of(record);
  return text;
}

void describe(Fields<StepRecord>& fields) {
  fields.record("step", "A step of a pipeline: a variant of a stage and its configuration.");
  fields("stage", &StepRecord::stage);
  fields("variant", &StepRecord::variant);
  fields("config", &StepRecord::config, "each parameter of the variant and its value");
}

void describe(Fields<PipelineRecord>& fields) {
  fields.record("pipeline", "The steps that update one part of the model, in their order.");
  fields("part", &PipelineRecord::part);
  fields("steps", &PipelineRecord::steps);
}

}  // namespace alsbench
