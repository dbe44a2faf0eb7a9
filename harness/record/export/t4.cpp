// SPDX-License-Identifier: Apache-2.0
// T4, the results format of the auto-tuning community, as kernel_tuner reads and writes it.
// (https://github.com/KernelTuner/kernel_tuner, kernel_tuner/schema/T4/1.0.0)
#include <cmath>

#include "harness/record/export/export.h"
#include "harness/record/result_rows.h"

namespace alsbench {
namespace {

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

double compile_milliseconds(const CaseRecord& record) {
  double seconds = 0;
  for (const KernelRecord& kernel : record.kernels)
    if (std::isfinite(kernel.report.compile_seconds)) seconds += kernel.report.compile_seconds;
  return seconds * 1e3;
}

Json measurement(const std::string& name, double value, const char* unit) {
  return {{"name", name}, {"value", value}, {"unit", unit}};
}

}  // namespace

std::string to_t4(const ResultDocument& result) {
  constexpr double kMilliseconds = 1e3;
  Json results = Json::array();
  for (const ResultRow& row : rows_of(result.cases)) {
    Json runtimes = Json::array(), measurements = Json::array();
    if (row.timed()) {
      for (const Sample& sample : row.measurement->samples)
        runtimes.push_back(sample.seconds * kMilliseconds);
      measurements.push_back(
          measurement("time", row.measurement->statistics.median * kMilliseconds, "ms"));
    }
    if (row.trained()) {
      const TrainedRow trained = trained_of(row);
      measurements.push_back(measurement("time", trained.seconds * kMilliseconds, "ms"));
      if (trained.test_metric)
        measurements.push_back(measurement("test_" + trained.metric, *trained.test_metric, ""));
    }
    results.push_back(
        {{"timestamp", result.provenance.time_utc},
         {"configuration", configuration_of(row)},
         {"objectives", Json::array({"time"})},
         {"times",
          {{"compilation_time", compile_milliseconds(*row.record)}, {"runtimes", runtimes}}},
         {"invalidity", invalidity_of(row.outcome())},
         {"correctness", row.record->ok() ? 1 : 0},
         {"measurements", measurements}});
  }
  return Json{{"schema_version", "1.0.0"},
              {"metadata", {{"timeunit", "milliseconds"}}},
              {"results", results}}
             .dump(2) +
         "\n";
}

}  // namespace alsbench
