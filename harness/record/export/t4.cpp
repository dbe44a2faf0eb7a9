// T4, the results format of the auto-tuning community, as kernel_tuner reads and writes it.
// (https://github.com/KernelTuner/kernel_tuner, kernel_tuner/schema/T4/1.0.0)
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

// What tells one result from another: the parameters, and all that a tuning run would keep fixed.
Json configuration_of(const ResultRow& row) {
  const Json& record = *row.record;
  Json configuration{{"case", row.name}, {"problem", record.at("problem").at("name")}};
  for (const char* key : {"stage", "variant", "backend", "side"})
    if (record.contains(key) && record[key].is_string()) configuration[key] = record[key];
  if (!row.mode.empty()) configuration["cache"] = row.mode;
  configuration.update(record.value("config", Json::object()));
  return configuration;
}

double compile_milliseconds(const Json& record) {
  double seconds = 0;
  for (const Json& kernel : record.value("kernels", Json::array()))
    seconds += kernel.value("compile_seconds", 0.0);
  return seconds * 1e3;
}

Json measurement(const char* name, const Json& value, const char* unit) {
  return {{"name", name}, {"value", value}, {"unit", unit}};
}

}  // namespace

std::string to_t4(const ResultDocument& result) {
  constexpr double kMilliseconds = 1e3;
  Json results = Json::array();
  for (const ResultRow& row : rows_of(result.cases)) {
    Json runtimes = Json::array(), measurements = Json::array();
    if (row.timed()) {
      for (const Json& sample : row.measurement->at("samples"))
        runtimes.push_back(sample.at("seconds").get<double>() * kMilliseconds);
      measurements.push_back(
          measurement("time", row.statistic("median_seconds") * kMilliseconds, "ms"));
    }
    if (row.trained()) {
      measurements.push_back(measurement("time", training_seconds(row) * kMilliseconds, "ms"));
      if (const Json rmse = last_test_rmse(row); rmse.is_number())
        measurements.push_back(measurement("test_rmse", rmse, ""));
    }
    results.push_back(
        {{"timestamp", result.provenance.value("time_utc", "")},
         {"configuration", configuration_of(row)},
         {"objectives", Json::array({"time"})},
         {"times",
          {{"compilation_time", compile_milliseconds(*row.record)}, {"runtimes", runtimes}}},
         {"invalidity", invalidity_of(row.outcome)},
         {"correctness", row.outcome == Outcome::ok ? 1 : 0},
         {"measurements", measurements}});
  }
  return Json{{"schema_version", "1.0.0"},
              {"metadata", {{"timeunit", "milliseconds"}}},
              {"results", results}}
             .dump(2) +
         "\n";
}

}  // namespace alsbench
