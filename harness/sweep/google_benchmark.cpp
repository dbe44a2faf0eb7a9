// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/google_benchmark.h"

#include <benchmark/benchmark.h>

#include <exception>

namespace alsbench {
namespace {

class Silence : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

void run_with_google_benchmark(const std::vector<RegisteredSample>& samples) {
  std::exception_ptr error;  // must not pass through the library
  const auto seconds_of = [&](const RegisteredSample& sample) -> std::optional<double> {
    if (error) return std::nullopt;
    try {
      return sample.body();
    } catch (...) {
      error = std::current_exception();
      return std::nullopt;
    }
  };
  const auto run_one = [&](benchmark::State& state, const RegisteredSample& sample) {
    for (auto _ : state) {
      const std::optional<double> seconds = seconds_of(sample);
      if (!seconds) {
        state.SkipWithError("failed");
        break;
      }
      state.SetIterationTime(*seconds);
    }
  };
  for (const RegisteredSample& sample : samples)
    benchmark::RegisterBenchmark(sample.name.c_str(),
                                 [&](benchmark::State& state) { run_one(state, sample); })
        ->Iterations(1)
        ->Repetitions(1)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  Silence silence;
  benchmark::RunSpecifiedBenchmarks(&silence, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();
  if (error) std::rethrow_exception(error);
}

}  // namespace alsbench
