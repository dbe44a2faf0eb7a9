// SPDX-License-Identifier: Apache-2.0
// A small program of Google Benchmark on which gates are compared (scripts/compare_gates.py). With
// GATE_SAMPLE_PERCENT=5 in the environment, `steps` does 5 % more work.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

uint64_t next(uint64_t x) {  // xorshift (Marsaglia, J. Stat. Softw. 8, 2003)
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ (x << 17);
}

std::vector<double> numbers(size_t count) {
  std::vector<double> values(count);
  uint64_t x = 1;
  for (double& value : values) value = static_cast<double>((x = next(x)) >> 11);
  return values;
}

// A chain of dependent steps: its time is their number.
void steps(benchmark::State& state) {
  const char* const percent = std::getenv("GATE_SAMPLE_PERCENT");
  const int64_t count = 200 * (100 + (percent == nullptr ? 0 : std::atoi(percent)));
  for (auto _ : state) {
    uint64_t x = 1;
    for (int64_t i = 0; i < count; ++i) x = next(x);
    benchmark::DoNotOptimize(x);
  }
}
BENCHMARK(steps);

void sort(benchmark::State& state) {
  const std::vector<double> values = numbers(1000);
  for (auto _ : state) {
    std::vector<double> copy = values;
    std::sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
  }
}
BENCHMARK(sort);

void sum(benchmark::State& state) {
  const std::vector<double> values = numbers(50000);
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), 0.0));
}
BENCHMARK(sum);

void look_up(benchmark::State& state) {
  std::unordered_map<uint64_t, uint64_t> map;
  for (uint64_t i = 0, x = 1; i < 2000; ++i) map[x = next(x)] = i;
  for (auto _ : state) {
    uint64_t found = 0;
    for (uint64_t i = 0, x = 1; i < 2000; ++i) found += map[x = next(x)];
    benchmark::DoNotOptimize(found);
  }
}
BENCHMARK(look_up);

}  // namespace

BENCHMARK_MAIN();
