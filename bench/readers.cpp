// SPDX-License-Identifier: Apache-2.0
// Readers of ratings, each of a file with the same ratings.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "harness/data/dataset.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/set_file.h"
#include "harness/data/write_ratings.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

const RatingSet& ratings() {
  static const RatingSet set = [] {
    DataRequest request;
    request.dataset = "ml-1m";
    return load_rating_set(request);
  }();
  return set;
}

// A file of these ratings, removed at its end.
class RatingsFile {
 public:
  explicit RatingsFile(Format format)
      : path_(fs::temp_directory_path() /
              ("alsbench-bench-" + std::to_string(getpid()) + "." + std::string(name_of(format)))) {
    write_ratings(ratings(), ratings().by_user, format, path_);
  }
  ~RatingsFile() { fs::remove_all(path_); }
  RatingsFile(const RatingsFile&) = delete;
  RatingsFile& operator=(const RatingsFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void count_ratings(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * ratings().by_user.nnz());
}

// From bytes to ids and values, before ids become rows.
void read_raw(benchmark::State& state, Format format) {
  const RatingsFile file(format);
  for (auto _ : state) benchmark::DoNotOptimize(load_raw(file.path(), format).values.data());
  count_ratings(state);
}
BENCHMARK_CAPTURE(read_raw, tsv, Format::tsv)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_raw, csv, Format::csv)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_raw, libmf, Format::libmf)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_raw, matrix_market, Format::matrix_market)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(read_raw, npz, Format::npz)->Unit(benchmark::kMillisecond)->UseRealTime();

// To a set that can be trained on.
void load_set(benchmark::State& state, Format format) {
  const RatingsFile file(format);
  DataRequest request;
  request.path = file.path();
  for (auto _ : state) benchmark::DoNotOptimize(load_rating_set(request).by_item.nnz());
  count_ratings(state);
}
BENCHMARK_CAPTURE(load_set, tsv, Format::tsv)->Unit(benchmark::kMillisecond)->UseRealTime();

void read_set(benchmark::State& state) {
  const RatingsFile file(Format::alsset);
  for (auto _ : state) benchmark::DoNotOptimize(read_set_file(file.path()).by_user.nnz());
  count_ratings(state);
}
BENCHMARK(read_set)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace alsbench
