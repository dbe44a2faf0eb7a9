// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/device/counters_unavailable.h"

namespace alsbench {
namespace {

// Linear interpolation between order statistics (Hyndman and Fan, type 7, as numpy's default).
double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// `counted`, launch by launch, as sums of every `kernels`-th; where that does not come out even,
// of all.
std::vector<Counters> by_kernel(const std::vector<Counters>& counted, size_t kernels) {
  if (kernels == 0 || counted.size() % kernels != 0) kernels = 1;
  std::vector<std::vector<Counters>> parts(kernels);
  for (size_t i = 0; i < counted.size(); ++i) parts[i % kernels].push_back(counted[i]);
  std::vector<Counters> sums;
  for (const std::vector<Counters>& part : parts) sums.push_back(sum_of(part));
  return sums;
}

}  // namespace

bool is_to_be_taken_again(const Sample& sample) {
  return !disturbed_times_count() && sample.disturbed();
}

Statistics statistics_of(const std::vector<double>& seconds) {
  Statistics s;
  if (seconds.empty()) return s;
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  s.count = static_cast<int64_t>(sorted.size());
  s.min = sorted.front();
  s.q1 = quantile(sorted, 0.25);
  s.median = quantile(sorted, 0.5);
  s.q3 = quantile(sorted, 0.75);
  s.max = sorted.back();
  s.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(s.count);
  s.relative_iqr = s.median > 0 ? (s.q3 - s.q1) / s.median : 0;
  if (s.count == 1) s.relative_iqr = std::numeric_limits<double>::quiet_NaN();
  s.median_noise = s.relative_iqr / std::sqrt(static_cast<double>(s.count));
  return s;
}

std::string_view stop_reason(const StopRule& rule, const std::vector<double>& seconds,
                             double elapsed_seconds) {
  const auto count = static_cast<int64_t>(seconds.size());
  if (count == 0) return "";
  if (count >= rule.max_samples) return "samples";
  if (elapsed_seconds >= rule.max_seconds) return "time";
  if (count >= rule.min_samples && statistics_of(seconds).median_noise <= rule.max_noise)
    return "noise";
  return "";
}

void make_ready(StageFixture& fixture, const Variant& variant, Executable& executable,
                CacheMode mode) {
  fixture.restore(variant);
  if (mode == CacheMode::hot) {
    fixture.launch(executable);
    fixture.restore(variant);
  } else {
    fixture.problem().device().flush_cache();
  }
}

CountersRecord count_execution(StageFixture& fixture, const Variant& variant,
                               Executable& executable, CacheMode mode) {
  try {
    const Counted counted =
        fixture.problem().device().count([&] { make_ready(fixture, variant, executable, mode); },
                                         [&] { fixture.launch(executable); });
    if (counted.kernels.empty())
      throw CountersUnavailable(CountersFailureKind::failed, "no kernel was seen",
                                "see docs/explanation/profiling.md");
    return {by_kernel(counted.kernels, executable.kernels().size()), counted.executions, {}};
  } catch (const CountersUnavailable& refused) {
    return {{}, 0, refused.refusal};
  }
}

std::vector<double> sample_kernels(StageFixture& fixture, const Variant& variant,
                                   Executable& executable) {
  constexpr int kExecutions = 5;
  const size_t kernels = executable.kernels().size();
  if (kernels < 2) return {};
  std::vector<std::vector<double>> samples(kernels);
  for (int i = 0; i < 1 + kExecutions; ++i) {
    fixture.restore(variant);
    const std::vector<double> seconds = fixture.kernel_seconds(executable);
    if (i == 0) continue;  // what makes the cache hot
    for (size_t k = 0; k < kernels; ++k) samples[k].push_back(seconds[k]);
  }
  std::vector<double> medians;
  for (const std::vector<double>& of_kernel : samples)
    medians.push_back(statistics_of(of_kernel).median);
  return medians;
}

}  // namespace alsbench
