// SPDX-License-Identifier: Apache-2.0
// Cost of a search itself between two samples: each strategy on a recorded space.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "harness/tune/search/replay.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {
namespace {

Recording recorded() {
  return read_recording(
      std::filesystem::path(ALSBENCH_SOURCE_DIR) /
      "results/recorded/nvidia-h200/hermitian-tiled-netflix-rank100-x.journal.gz");
}

void read_space(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(recorded());
}
BENCHMARK(read_space)->Unit(benchmark::kMillisecond);

void search(benchmark::State& state, const char* strategy) {
  constexpr int64_t kEvaluations = 60;
  TuneOptions options;
  options.strategy = strategy;
  options.budget.evaluations = kEvaluations;
  const Recording recording = recorded();
  for (auto _ : state) {
    ReplayObjective objective(recording);
    benchmark::DoNotOptimize(tune(recording.space, objective, options).best);
  }
  state.SetItemsProcessed(state.iterations() * kEvaluations);
}
BENCHMARK_CAPTURE(search, guided, "guided")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, random, "random")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace alsbench
