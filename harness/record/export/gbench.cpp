// SPDX-License-Identifier: Apache-2.0
// https://github.com/google/benchmark/blob/main/docs/user_guide.md ("Output Formats") and what
// tools/compare.py reads.
#include <fmt/format.h>

#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

Json context_of(const ResultDocument& result) {
  const BuildProvenance& build = result.provenance.build;
  const HostProvenance& host = result.provenance.host;
  Json context{{"date", result.provenance.time_utc},
               {"host_name", host.name},
               {"executable", "alsbench"},
               {"num_cpus", host.hardware_threads},
               {"mhz_per_cpu", 0},
               {"cpu_scaling_enabled", false},
               {"caches", Json::array()},
               {"load_avg", Json::array()},
               {"library_build_type", "release"},
               {"version", build.version},
               {"git_commit", build.git_commit}};
  const std::string prefix(kContextPrefix);
  context[prefix + "suite"] = fmt::format("{} {}", result.suite.name, result.suite.hash);
  for (const DeviceRecord& device : result.devices) {
    const std::string place = prefix + "device " + device.id;
    context[place] =
        fmt::format("{}, {} multiprocessors", device.traits.name, device.traits.multiprocessors);
    if (device.nvml) context[place + " driver"] = text_or_null(device.nvml->driver_version).dump();
  }
  return context;
}

std::string label_of(const ResultRow& row) {
  const CaseRecord& record = *row.record;
  std::string label = std::string(kDeviceLabel) + record.device;
  if (record.role == Role::ceiling)
    label += fmt::format(" {}{}/{}/{}/{}", kCeilingLabel, record.stage, record.variant,
                         name_of(record.backend), row.mode_name());
  return label;
}

}  // namespace

std::string to_gbench(const ResultDocument& result) {
  constexpr double kMilliseconds = 1e3;
  Json entries = Json::array();
  int64_t family = 0;
  for (const ResultRow& row : rows_of(result.cases)) {
    if (!row.timed()) continue;
    const std::vector<Sample>& samples = row.measurement->samples;
    const std::string label = label_of(row);
    int64_t repetition = 0;
    for (const Sample& sample : samples) {
      Json entry{{"name", row.name},
                 {"family_index", family},
                 {"per_family_instance_index", 0},
                 {"run_name", row.name},
                 {"run_type", "iteration"},
                 {"repetitions", samples.size()},
                 {"repetition_index", repetition++},
                 {"threads", 1},
                 {"iterations", 1},
                 {"real_time", sample.seconds * kMilliseconds},
                 {"cpu_time", sample.host_seconds * kMilliseconds},
                 {"time_unit", "ms"},
                 {"label", label}};
      if (sample.sm_clock_hz > 0) entry["sm_clock_hz"] = sample.sm_clock_hz;
      entries.push_back(std::move(entry));
    }
    ++family;
  }
  return Json{{"context", context_of(result)}, {"benchmarks", entries}}.dump(1) + "\n";
}

}  // namespace alsbench
