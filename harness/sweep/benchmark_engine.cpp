// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/benchmark_engine.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <random>

namespace alsbench {
namespace {

using Clock = std::chrono::steady_clock;

// Samples of one measurement in the coming round: one to learn what it costs, then up to the
// minimum, then half as many again; never beyond the time that is left.
int64_t round_samples(const Measurement& m, const StopRule& rule) {
  const auto count = static_cast<int64_t>(m.samples.size());
  if (count == 0) return 1;
  const int64_t wanted = std::max(rule.min_samples - count, (count + 1) / 2);
  const double cost = std::max(m.elapsed_seconds / static_cast<double>(count), 1e-9);
  const double affordable = std::ceil((rule.max_seconds - m.elapsed_seconds) / cost);
  const int64_t in_time = affordable < 1e9 ? static_cast<int64_t>(affordable) : wanted;
  return std::clamp<int64_t>(std::min(wanted, in_time), 1, rule.max_samples - count);
}

// Samples are taken in the bodies, and reported from the records: Google Benchmark prints nothing.
class Silence : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

std::vector<double> seconds_of(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& sample : samples) seconds.push_back(sample.seconds);
  return seconds;
}

// One round: every undecided measurement's samples in random order, each registered as a benchmark
// of one iteration. (The library's own random interleaving cannot be seeded.)
class Round {
 public:
  Round(std::vector<Measurement>& measurements, std::vector<bool>& failed, const TakeSample& take)
      : measurements_(measurements), failed_(failed), take_(take) {}

  void run(const std::vector<size_t>& order) {
    for (const size_t index : order)
      benchmark::RegisterBenchmark(measurements_[index].name.c_str(),
                                   [this, index](benchmark::State& state) { body(state, index); })
          ->Iterations(1)
          ->Repetitions(1)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
    Silence silence;
    benchmark::RunSpecifiedBenchmarks(&silence, nullptr, ".");
    benchmark::ClearRegisteredBenchmarks();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void body(benchmark::State& state, size_t index) {
    for (auto _ : state) {
      if (failed_[index] || error_) {
        state.SkipWithError("not measured");
        break;
      }
      const std::optional<Sample> sample = sample_of(index);
      if (!sample) {
        failed_[index] = true;
        state.SkipWithError("failed");
        break;
      }
      state.SetIterationTime(sample->seconds);
    }
  }

  std::optional<Sample> sample_of(size_t index) {
    Measurement& m = measurements_[index];
    const auto start = Clock::now();
    try {
      const std::optional<Sample> sample = take_(index);
      m.elapsed_seconds += std::chrono::duration<double>(Clock::now() - start).count();
      if (sample) m.samples.push_back(*sample);
      return sample;
    } catch (...) {
      error_ = std::current_exception();  // must not pass through the library
      return std::nullopt;
    }
  }

  std::vector<Measurement>& measurements_;
  std::vector<bool>& failed_;
  const TakeSample& take_;
  std::exception_ptr error_;
};

}  // namespace

void measure_interleaved(std::vector<Measurement>& measurements, const StopRule& rule,
                         uint64_t seed, const TakeSample& take, const Decided& decided) {
  std::mt19937_64 generator(seed);
  std::vector<bool> failed(measurements.size(), false), over(measurements.size(), false);
  while (true) {
    std::vector<size_t> order;
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      order.insert(order.end(), static_cast<size_t>(round_samples(m, rule)), i);
    }
    if (order.empty()) break;
    std::shuffle(order.begin(), order.end(), generator);
    Round(measurements, failed, take).run(order);
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      if (!failed[i]) m.stop_reason = stop_reason(rule, seconds_of(m.samples), m.elapsed_seconds);
      over[i] = failed[i] || !m.stop_reason.empty();
      if (over[i] && decided) decided(i);
    }
  }
}

}  // namespace alsbench
