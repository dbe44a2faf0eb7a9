// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tuning_export.h"

#include <vector>

#include "harness/record/document.h"
#include "harness/record/export/export.h"
#include "harness/tune/pipeline/pipeline_document.h"

namespace alsbench {
namespace {

// A value of a recording of another program, as that program wrote it.
Json value_of(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_number()) return value;
  if (text == "True" || text == "False") return text == "True";
  return text;
}

std::string t4_of(const PipelineTuningDocument& tuning) {
  std::vector<T4Evaluation> evaluations;
  for (const TrialRecord& trial : tuning.trials) {
    T4Evaluation& evaluation = evaluations.emplace_back();
    for (const PipelineRecord& pipeline : trial.pipelines)
      evaluation.configuration[pipeline.part] = text_of(pipeline.steps);
    evaluation.outcome = trial.outcome;
    evaluation.seconds = evaluation.measure_seconds = trial.seconds;
    if (trial.outcome == Outcome::ok) {
      evaluation.runtimes = {trial.seconds};
      evaluation.metrics.emplace_back("test_" + tuning.gate.metric, trial.metric);
    }
  }
  return t4_document(evaluations, tuning.provenance.time_utc);
}

}  // namespace

std::string tuning_to_t4(const TuningDocument& tuning) {
  std::vector<T4Evaluation> evaluations;
  for (const EvaluationRecord& record : tuning.result.result.points) {
    const Evaluation& found = record.found;
    T4Evaluation& evaluation = evaluations.emplace_back();
    const bool own = !record.point.variant.empty();
    if (own) evaluation.configuration["variant"] = record.point.variant;
    for (const auto& [name, value] : record.point.config.entries())
      evaluation.configuration[name] = own ? Json(value) : value_of(value);
    evaluation.outcome = found.outcome;
    evaluation.seconds = found.median();
    evaluation.runtimes = found.seconds;
    evaluation.compile_seconds = found.compile_seconds;
    evaluation.measure_seconds = found.measure_seconds;
    evaluation.prepare_seconds = found.prepare_seconds - found.verify_seconds;
    evaluation.verify_seconds = found.verify_seconds;
  }
  return t4_document(evaluations, tuning.provenance.time_utc);
}

std::optional<std::string> tuning_to_t4(const Json& json, const std::string& source) {
  const std::string kind = text_at(json, "kind");
  if (kind == "tuning") return tuning_to_t4(read_as_document<TuningDocument>(json, kind, source));
  if (kind == "pipeline-tuning")
    return t4_of(read_as_document<PipelineTuningDocument>(json, kind, source));
  return std::nullopt;
}

}  // namespace alsbench
