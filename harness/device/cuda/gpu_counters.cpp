// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/gpu_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace alsbench {
namespace {

constexpr double kSector = 32;  // bytes
constexpr double kPercent = 0.01, kNanosecond = 1e-9;

struct Metric {
  double Counters::*member;
  double unit;
  const char* name;
  const char* other_name = nullptr;  // of chips that call it so
};

constexpr std::array kMetrics{
    Metric{&Counters::seconds, kNanosecond, "gpu__time_duration.sum"},
    Metric{&Counters::cycles, 1, "sm__cycles_elapsed.max"},
    Metric{&Counters::instructions, 1, "smsp__inst_executed.sum"},
    Metric{&Counters::dram_read_bytes, 1, "dram__bytes_read.sum", "dram__bytes_op_read.sum"},
    Metric{&Counters::dram_write_bytes, 1, "dram__bytes_write.sum", "dram__bytes_op_write.sum"},
    Metric{&Counters::l2_bytes, kSector, "lts__t_sectors_srcunit_tex.sum"},
    Metric{&Counters::l2_hit_bytes, kSector, "lts__t_sectors_srcunit_tex_lookup_hit.sum"},
    Metric{&Counters::l1_bytes, kSector, "l1tex__t_sectors_pipe_lsu.sum"},
    Metric{&Counters::l1_hit_bytes, kSector, "l1tex__t_sectors_pipe_lsu_lookup_hit.sum"},
    Metric{&Counters::l1_requests, 1, "l1tex__t_requests_pipe_lsu.sum"},
    Metric{&Counters::tensor, kPercent,
           "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::fp32, kPercent,
           "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::lsu, kPercent,
           "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::l1, kPercent, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::l2, kPercent, "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::dram, kPercent, "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::issue, kPercent, "smsp__issue_active.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::active, kPercent, "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    Metric{&Counters::occupancy, kPercent, "sm__warps_active.avg.pct_of_peak_sustained_active"},
};

constexpr const char* kResident = "smsp__warps_active.sum";
// Why a resident warp does not issue; the two of warps that issue, or could, are no stalls.
constexpr std::array kStalls{"barrier",
                             "branch_resolving",
                             "dispatch_stall",
                             "drain",
                             "gmma",
                             "imc_miss",
                             "lg_throttle",
                             "long_scoreboard",
                             "math_pipe_throttle",
                             "membar",
                             "mio_throttle",
                             "misc",
                             "no_instruction",
                             "short_scoreboard",
                             "sleeping",
                             "tex_throttle",
                             "wait"};
constexpr size_t kShownStalls = 3;

std::vector<Stall> largest(std::vector<Stall> stalls) {
  std::ranges::stable_sort(stalls, std::ranges::greater(), &Stall::share);
  stalls.resize(std::min(stalls.size(), kShownStalls));
  return stalls;
}

}  // namespace

std::vector<std::string> counter_metrics() {
  std::vector<std::string> names;
  for (const Metric& metric : kMetrics) {
    names.emplace_back(metric.name);
    if (metric.other_name != nullptr) names.emplace_back(metric.other_name);
  }
  names.emplace_back(kResident);
  for (const char* stall : kStalls)
    names.push_back(std::string("smsp__warps_issue_stalled_") + stall + ".sum");
  return names;
}

Counters counters_of(const std::vector<double>& values) {
  Counters counters;
  auto value = values.begin();
  for (const Metric& metric : kMetrics) {
    double read = *value++;
    if (metric.other_name != nullptr)
      if (const double other = *value++; std::isnan(read)) read = other;
    counters.*metric.member = read * metric.unit;
  }
  const double resident = *value++;
  std::vector<Stall> stalls;
  for (const char* stall : kStalls)
    if (const double share = *value++ / resident; share > 0) stalls.push_back({stall, share});
  counters.stalls = largest(std::move(stalls));
  return counters;
}

}  // namespace alsbench
