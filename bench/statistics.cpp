// SPDX-License-Identifier: Apache-2.0
// The statistics of verdicts: of two samples of launches, of many cases and of a history.
#include "harness/judge/statistics.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/median.h"
#include "harness/judge/change_points.h"

namespace alsbench {
namespace {

std::vector<double> times(int64_t count, uint64_t seed, double level = 1) {
  std::mt19937_64 generator(seed);
  std::lognormal_distribution<double> noise(std::log(level), 0.01);
  std::vector<double> values(static_cast<size_t>(count));
  for (double& value : values) value = noise(generator);
  return values;
}

void median_of_samples(benchmark::State& state) {
  const std::vector<double> samples = times(state.range(0), 1);
  for (auto _ : state) benchmark::DoNotOptimize(median(samples));
}
BENCHMARK(median_of_samples)->Arg(10)->Arg(1000);

void shift(benchmark::State& state) {
  const std::vector<double> base = times(state.range(0), 1), test = times(state.range(0), 2, 1.01);
  for (auto _ : state) benchmark::DoNotOptimize(hodges_lehmann(base, test, 0.95));
}
BENCHMARK(shift)->Arg(10)->Arg(50)->Arg(200);

void rank_test(benchmark::State& state) {
  const std::vector<double> base = times(state.range(0), 1), test = times(state.range(0), 2, 1.01);
  for (auto _ : state) benchmark::DoNotOptimize(mann_whitney_p(base, test));
}
BENCHMARK(rank_test)->Arg(10)->Arg(50)->Arg(200);

void adjusted_p(benchmark::State& state) {
  const std::vector<double> p = times(state.range(0), 1, 0.1);
  for (auto _ : state) benchmark::DoNotOptimize(benjamini_hochberg(p, state.range(0)));
}
BENCHMARK(adjusted_p)->Arg(100)->Arg(10000);

void history_of_runs(benchmark::State& state) {
  std::vector<double> logs = times(state.range(0) / 2, 1);
  for (const double value : times(state.range(0) / 2, 2, 1.03)) logs.push_back(value);
  for (double& value : logs) value = std::log(value);
  for (auto _ : state) benchmark::DoNotOptimize(change_points(logs, ChangeRules()));
}
BENCHMARK(history_of_runs)->Arg(40)->Arg(160)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace alsbench
