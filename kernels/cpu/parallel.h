// SPDX-License-Identifier: Apache-2.0
// How the CPU backend spreads rows over threads; every stage of kernels/cpu includes it.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ranges>

#include "kernels/cpu/first_error.h"

namespace alsbench {

// Resources of a CPU kernel in addition to its params.
struct CpuResources {
  int threads = 1;
  // As RunContext::scratch: memory kept between runs.
  std::function<void*(int slot, int64_t bytes)> scratch;

  // `floats` per thread, each thread's part on cache lines of its own.
  float* thread_scratch(int64_t floats) const {
    return static_cast<float*>(
        scratch(0, static_cast<int64_t>(sizeof(float)) * padded(floats) * threads));
  }
  static int64_t padded(int64_t floats) { return (floats + 15) / 16 * 16; }
};

inline int cpu_threads(int requested) { return requested > 0 ? requested : omp_get_max_threads(); }

// body(row, thread) for every row; rows are taken `grain` at a time, since their lengths differ.
template <class Body>
void parallel_rows(int64_t rows, int threads, const Body& body, int grain = 8) {
  FirstError error;
#pragma omp parallel for schedule(dynamic, grain) num_threads(threads)
  for (int64_t row = 0; row < rows; ++row) error.run([&] { body(row, omp_get_thread_num()); });
  error.rethrow();
}

// body(begin, end, thread) for pieces of about equally many ratings. A piece with a long row, which
// is heavier, goes before all others, so no thread is left alone with it at the end. `offsets` are
// those of the first row on.
template <class Body>
void parallel_pieces(const int64_t* offsets, int64_t rows, int threads, const Body& body) {
  constexpr int64_t kPiecesPerThread = 64;
  const int64_t pieces = std::min(rows, kPiecesPerThread * threads);
  const auto work_before = [&](int64_t row) { return offsets[row] - offsets[0] + row; };
  const int64_t total = work_before(rows);
  const auto first_row = [&](int64_t piece) {
    const auto all = std::views::iota(int64_t{0}, rows);
    const auto is_before = [&](int64_t row) { return work_before(row) * pieces < piece * total; };
    return std::ranges::partition_point(all, is_before) - all.begin();
  };
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int64_t turn = 0; turn < 2 * pieces; ++turn) {
    const bool heavy_turn = turn < pieces;
    const int64_t piece = turn % pieces, begin = first_row(piece), end = first_row(piece + 1);
    const bool heavy = (work_before(end) - work_before(begin)) * pieces > 2 * total;
    if (heavy != heavy_turn) continue;
    error.run([&] { body(begin, end, omp_get_thread_num()); });
  }
  error.rethrow();
}

// body(row, thread) for every row, in such pieces: whatever the number of threads, a row is one
// call.
template <class Body>
void parallel_rows_by_length(const int64_t* offsets, int64_t rows, int threads, const Body& body) {
  parallel_pieces(offsets, rows, threads, [&](int64_t begin, int64_t end, int thread) {
    for (int64_t row = begin; row < end; ++row) body(row, thread);
  });
}

}  // namespace alsbench
