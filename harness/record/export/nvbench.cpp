// SPDX-License-Identifier: Apache-2.0
// nvbench's JSON output, version 1.0.0 of its file format: what its scripts nvbench_compare.py and
// nvbench_compare_robust.py read. (https://github.com/NVIDIA/nvbench, nvbench/json_printer.cu)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

// nvbench writes 64-bit numbers as text.
Json named_value(const char* name, const char* type, const std::string& value) {
  return {{"name", name}, {"type", type}, {"value", value}};
}

// How tools show a summary: its column's name, and the hint that says what the number is. nvbench
// hides most of them.
struct Shown {
  const char* name;
  const char* hint;  // "" for a plain number
  bool hidden = false;
};

class Summaries {
 public:
  void add(const std::string& tag, const Shown& shown, double value) {
    put(tag, shown, "float64", fmt::format("{}", value));
  }
  void add_count(const std::string& tag, const Shown& shown, int64_t value) {
    put(tag, shown, "int64", std::to_string(value));
  }
  Json take() { return std::move(list_); }

 private:
  void put(const std::string& tag, const Shown& shown, const char* type, const std::string& value) {
    Json summary{{"tag", tag}, {"name", shown.name}};
    if (*shown.hint != '\0') summary["hint"] = shown.hint;
    if (shown.hidden) summary["hide"] = "Hidden by default.";
    summary["data"] = Json::array({named_value("value", type, value)});
    list_.push_back(std::move(summary));
  }
  Json list_ = Json::array();
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
}

void add_cold(const MeasurementRecord& measurement, Summaries& summaries) {
  const Statistics& s = measurement.statistics;
  std::vector<double> seconds, clocks;
  for (const Sample& sample : measurement.samples) {
    seconds.push_back(sample.seconds);
    if (sample.sm_clock_hz > 0) clocks.push_back(sample.sm_clock_hz);
  }
  const std::string time = "nv/cold/time/gpu/";
  summaries.add_count("nv/cold/sample_size", {"Samples", "sample_size"},
                      static_cast<int64_t>(seconds.size()));
  summaries.add(time + "min", {"Min GPU Time", "duration", true}, s.min);
  summaries.add(time + "q1", {"Q1 GPU Time", "duration", true}, s.q1);
  summaries.add(time + "median", {"Median GPU Time", "duration"}, s.median);
  summaries.add(time + "q3", {"Q3 GPU Time", "duration", true}, s.q3);
  summaries.add(time + "max", {"Max GPU Time", "duration", true}, s.max);
  summaries.add(time + "mean", {"GPU Time", "duration"}, s.mean);
  const double deviation = standard_deviation(seconds);
  const double range = s.q3 - s.q1;
  summaries.add(time + "stdev/absolute", {"Noise (absolute)", "duration", true}, deviation);
  summaries.add(time + "stdev/relative", {"Noise", "percentage"}, deviation / mean_of(seconds));
  summaries.add(time + "iqr/absolute", {"IQR", "duration", true}, range);
  summaries.add(time + "iqr/relative", {"IQR / median", "percentage", true}, range / s.median);
  if (!clocks.empty())
    summaries.add("nv/cold/sm_clock_rate/mean", {"SM Clock Rate", "frequency"}, mean_of(clocks));
  if (const auto rate = measurement.compulsory_bytes_per_second)
    summaries.add("nv/cold/bw/global/bytes_per_second", {"GlobalMem BW", "byte_rate"}, *rate);
  if (const auto rate = measurement.flops_per_second)
    summaries.add("als/cold/flops_per_second", {"FLOP/s", "item_rate"}, *rate);
}

void add_hot(const Statistics& statistics, Summaries& summaries) {
  summaries.add_count("nv/batch/sample_size", {"Batch Samples", "sample_size"}, statistics.count);
  summaries.add("nv/batch/time/gpu/mean", {"Batch GPU", "duration"}, statistics.mean);
  summaries.add("als/batch/time/gpu/median", {"Median Batch GPU", "duration"}, statistics.median);
}

using AxisValues = std::vector<std::pair<std::string, std::string>>;

AxisValues axis_values_of(const CaseRecord& record) {
  AxisValues values = record.config.entries();
  values.emplace_back("problem", record.problem.name);
  if (!record.part.empty()) values.emplace_back("part", record.part);
  // A ceiling is measured beside each group of cases: rows that nothing else tells apart.
  if (!record.group.empty() && record.role == Role::ceiling)
    values.emplace_back("group", record.group);
  return values;
}

Json to_json(const AxisValues& values) {
  Json json = Json::array();
  for (const auto& [name, value] : values)
    json.push_back(named_value(name.c_str(), "string", value));
  return json;
}

struct Benchmark {
  std::string name;
  std::vector<int64_t> devices;
  std::vector<std::pair<std::string, std::vector<std::string>>> axes;  // values by name
  Json states = Json::array();

  void add_axis_value(const std::string& axis, const std::string& value) {
    const auto named = [&](const auto& known) { return known.first == axis; };
    auto found = std::find_if(axes.begin(), axes.end(), named);
    if (found == axes.end()) found = axes.insert(axes.end(), {axis, {}});
    auto& values = found->second;
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
};

Json to_json(const Benchmark& benchmark, size_t index) {
  Json axes = Json::array();
  for (const auto& [name, values] : benchmark.axes) {
    Json list = Json::array();
    for (const std::string& value : values)
      list.push_back({{"input_string", value}, {"description", ""}, {"value", value}});
    axes.push_back({{"name", name}, {"type", "string"}, {"flags", ""}, {"values", list}});
  }
  return {{"name", benchmark.name},
          {"index", index},
          {"devices", benchmark.devices},
          {"axes", axes},
          {"states", benchmark.states}};
}

// Ids are positions in the file: nvbench knows GPUs alone, a result has the CPU as well.
Json devices_json(const std::vector<DeviceRecord>& devices) {
  Json list = Json::array();
  for (const DeviceRecord& device : devices)
    list.push_back({{"id", list.size()},
                    {"name", device.traits.name},
                    {"number_of_sms", device.traits.multiprocessors},
                    {"global_memory_size", device.traits.memory_bytes},
                    {"l2_cache_size", device.traits.l2_bytes}});
  return list;
}

int64_t device_of(const CaseRecord& record, const std::vector<DeviceRecord>& devices) {
  for (size_t i = 0; i < devices.size(); ++i)
    if (devices[i].id == record.device) return static_cast<int64_t>(i);
  return 0;  // a case that was skipped because its device is not there
}

std::string benchmark_name(const CaseRecord& record) {
  if (record.stage.empty()) return "train";
  return fmt::format("{}/{}/{}", record.stage, record.variant, name_of(record.backend));
}

Benchmark& benchmark_named(std::vector<Benchmark>& list, const std::string& name) {
  for (Benchmark& benchmark : list)
    if (benchmark.name == name) return benchmark;
  return list.emplace_back(Benchmark{name, {}, {}, Json::array()});
}

Json summaries_of(const CaseRecord& record) {
  Summaries summaries;
  for (const ResultRow& row : rows_of(record)) {
    if (row.timed() && row.mode == CacheMode::cold) add_cold(*row.measurement, summaries);
    if (row.timed() && row.mode == CacheMode::hot) add_hot(row.measurement->statistics, summaries);
    if (!row.trained()) continue;
    const TrainedRow trained = trained_of(row);
    summaries.add("als/training/seconds", {"Training Time", "duration"}, trained.seconds);
    if (trained.test_metric)
      summaries.add("als/training/test_" + trained.metric, {"Test Metric", ""},
                    *trained.test_metric);
  }
  return summaries.take();
}

}  // namespace

std::string to_nvbench(const ResultDocument& result) {
  std::vector<Benchmark> benchmarks;
  for (const CaseRecord& record : result.cases) {
    Benchmark& benchmark = benchmark_named(benchmarks, benchmark_name(record));
    const int64_t device = device_of(record, result.devices);
    auto& devices = benchmark.devices;
    if (std::find(devices.begin(), devices.end(), device) == devices.end())
      devices.push_back(device);
    const AxisValues axis_values = axis_values_of(record);
    for (const auto& [name, value] : axis_values) benchmark.add_axis_value(name, value);
    Json state{{"name", record.name},
               {"device", device},
               {"type_config_index", 0},
               {"axis_values", to_json(axis_values)},
               {"summaries", summaries_of(record)},
               {"is_skipped", !record.ok()}};
    if (record.role == Role::ceiling) state["als_role"] = "ceiling";
    if (!record.ok())
      state["skip_reason"] = fmt::format("{}: {}", name_of(record.outcome), record.detail);
    benchmark.states.push_back(std::move(state));
  }
  Json list = Json::array();
  for (const Benchmark& benchmark : benchmarks) list.push_back(to_json(benchmark, list.size()));
  const Json version{{"major", 1}, {"minor", 0}, {"patch", 0}, {"string", "1.0.0"}};
  return Json{{"meta", {{"argv", Json::array({"alsbench"})}, {"version", {{"json", version}}}}},
              {"devices", devices_json(result.devices)},
              {"benchmarks", list}}
             .dump(2) +
         "\n";
}

}  // namespace alsbench
