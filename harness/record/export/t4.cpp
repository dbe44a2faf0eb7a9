// SPDX-License-Identifier: Apache-2.0
// T4, the results format of the auto-tuning community, as kernel_tuner writes it and
// autotuning_methodology reads it.
// (https://github.com/KernelTuner/kernel_tuner, kernel_tuner/schema/T4/1.0.0)
#include <cmath>

#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

constexpr double kMilliseconds = 1e3;

// In the place of the time of what has none, in kernel_tuner's words: readers look for a time in
// every evaluation.
const char* no_time(Outcome outcome) {
  if (outcome == Outcome::skipped) return "InvalidConfig";
  return outcome == Outcome::compile_error ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

const char* invalidity_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return "correct";
    case Outcome::wrong:
    case Outcome::nan:
      return "correctness";
    case Outcome::hung:
      return "timeout";
    case Outcome::compile_error:
      return "compile";
    case Outcome::skipped:
      return "constraints";
    case Outcome::crashed:
    case Outcome::oom:
    case Outcome::launch_refused:
      break;
  }
  return "runtime";
}

// Properties that tell one result from another: the parameters, and all that a tuning run would
// keep fixed.
Json configuration_of(const ResultRow& row) {
  const CaseRecord& record = *row.record;
  Json configuration{{"case", row.name}, {"problem", record.problem.name}};
  if (!record.stage.empty()) configuration["stage"] = record.stage;
  if (!record.variant.empty()) configuration["variant"] = record.variant;
  configuration["backend"] = name_of(record.backend);
  if (!record.part.empty()) configuration["part"] = record.part;
  if (row.mode) configuration["cache"] = row.mode_name();
  for (const auto& [name, value] : record.config.entries()) configuration[name] = value;
  return configuration;
}

double compile_seconds(const CaseRecord& record) {
  double seconds = 0;
  for (const KernelRecord& kernel : record.kernels)
    if (std::isfinite(kernel.report.compile_seconds)) seconds += kernel.report.compile_seconds;
  return seconds;
}

double milliseconds(double seconds) { return std::isfinite(seconds) ? seconds * kMilliseconds : 0; }

// Words of the schema and of the programs that read it differ: compilation_time is the schema's,
// and compilation what kernel_tuner writes and others read.
Json times_of(const T4Evaluation& evaluation) {
  Json runtimes = Json::array();
  for (const double seconds : evaluation.runtimes) runtimes.push_back(milliseconds(seconds));
  const double compilation = milliseconds(evaluation.compile_seconds);
  return {{"compilation_time", compilation},
          {"compilation", compilation},
          {"benchmark", milliseconds(evaluation.measure_seconds)},
          {"framework", milliseconds(evaluation.prepare_seconds)},
          {"search_algorithm", 0},
          {"validation", milliseconds(evaluation.verify_seconds)},
          {"runtimes", runtimes}};
}

Json measurement(const std::string& name, const Json& value, const char* unit) {
  return {{"name", name}, {"value", value}, {"unit", unit}};
}

Json json_of(const T4Evaluation& evaluation, const std::string& time_utc) {
  const bool timed = evaluation.outcome == Outcome::ok && std::isfinite(evaluation.seconds);
  Json measurements = Json::array({measurement(
      "time", timed ? Json(milliseconds(evaluation.seconds)) : Json(no_time(evaluation.outcome)),
      "ms")});
  for (const auto& [name, value] : evaluation.metrics)
    measurements.push_back(measurement(name, value, ""));
  return {{"timestamp", time_utc},
          {"configuration", evaluation.configuration},
          {"objectives", Json::array({"time"})},
          {"times", times_of(evaluation)},
          {"invalidity", invalidity_of(evaluation.outcome)},
          {"correctness", evaluation.outcome == Outcome::ok ? 1 : 0},
          {"measurements", measurements}};
}

T4Evaluation evaluation_of(const ResultRow& row) {
  T4Evaluation evaluation{configuration_of(row), row.outcome()};
  evaluation.compile_seconds = compile_seconds(*row.record);
  if (row.timed()) {
    for (const Sample& sample : row.measurement->samples) {
      evaluation.runtimes.push_back(sample.seconds);
      evaluation.measure_seconds += sample.seconds;
    }
    evaluation.seconds = row.measurement->statistics.median;
  }
  if (row.trained()) {
    const TrainedRow trained = trained_of(row);
    evaluation.seconds = evaluation.measure_seconds = trained.seconds;
    if (trained.test_metric)
      evaluation.metrics.emplace_back("test_" + trained.metric, *trained.test_metric);
  }
  return evaluation;
}

}  // namespace

std::string t4_document(const std::vector<T4Evaluation>& evaluations, const std::string& time_utc) {
  Json results = Json::array();
  for (const T4Evaluation& evaluation : evaluations)
    results.push_back(json_of(evaluation, time_utc));
  return Json{{"schema_version", "1.0.0"},
              {"metadata", {{"timeunit", "milliseconds"}}},
              {"results", results}}
             .dump(2) +
         "\n";
}

std::string to_t4(const ResultDocument& result) {
  std::vector<T4Evaluation> evaluations;
  for (const ResultRow& row : rows_of(result.cases)) evaluations.push_back(evaluation_of(row));
  return t4_document(evaluations, result.provenance.time_utc);
}

}  // namespace alsbench
