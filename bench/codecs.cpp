// SPDX-License-Identifier: Apache-2.0
// A result document: its text, its JSON and its records.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/record/result.h"

namespace alsbench {
namespace {

const std::string& text() {
  static const std::string document =
      document_text(std::filesystem::path(ALSBENCH_SOURCE_DIR) / "tests/golden/results/small.json");
  return document;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text().size()));
}

void parse_text(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_json(text(), "bench"));
  count_bytes(state);
}
BENCHMARK(parse_text)->Unit(benchmark::kMicrosecond);

void read_records(benchmark::State& state) {
  const Json json = parse_json(text(), "bench");
  for (auto _ : state) benchmark::DoNotOptimize(result_from_json(json, "bench"));
  count_bytes(state);
}
BENCHMARK(read_records)->Unit(benchmark::kMicrosecond);

void write_records(benchmark::State& state) {
  const ResultDocument result = result_from_json(parse_json(text(), "bench"), "bench");
  for (auto _ : state) benchmark::DoNotOptimize(to_json(result).dump());
  count_bytes(state);
}
BENCHMARK(write_records)->Unit(benchmark::kMicrosecond);

void pack_text(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(gzip_of(text()));
  count_bytes(state);
}
BENCHMARK(pack_text)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace alsbench
