// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sgd/epoch.h"

#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

void write_factor_row(const FactorsView& factors, bool half, int64_t index, const float* source) {
  const int64_t begin = index * factors.pitch;
  if (half)
    simd().to_half(source, 1, static_cast<uint16_t*>(factors.data) + begin, factors.rank);
  else
    std::copy_n(source, factors.rank, static_cast<float*>(factors.data) + begin);
}

// A thread's two factor rows.
struct Workspace {
  float *x, *theta;

  static int64_t floats(int32_t rank) { return 2 * CpuResources::padded(rank); }
  Workspace(float* memory, int32_t rank) : x(memory), theta(memory + CpuResources::padded(rank)) {}
};

// The ratings [begin, end), one after another.
void update(const SgdParams& p, bool half, int64_t begin, int64_t end, const Workspace& work) {
  const int32_t rank = p.row_factors.rank;
  const float kept = 1 - p.rate * p.lambda;
  int32_t row = -1;
  for (int64_t k = begin; k < end; ++k) {
    if (p.ratings.rows[k] != row) {
      if (row >= 0) write_factor_row(p.row_factors, half, row, work.x);
      row = p.ratings.rows[k];
      read_factor_row(p.row_factors, half, row, work.x);
    }
    const int32_t col = p.ratings.cols[k];
    read_factor_row(p.col_factors, half, col, work.theta);
    const float step = p.rate * (p.ratings.values[k] - simd().dot(work.x, work.theta, rank));
    simd().exchange_add(kept, step, work.x, work.theta, rank);
    write_factor_row(p.col_factors, half, col, work.theta);
  }
  if (row >= 0) write_factor_row(p.row_factors, half, row, work.x);
}

}  // namespace

void sgd_lock_free(const SgdParams& p, bool half, int64_t batch, const CpuResources& resources) {
  const int32_t rank = p.row_factors.rank;
  const int64_t floats = CpuResources::padded(Workspace::floats(rank));
  float* scratch = resources.thread_scratch(floats);
  const int64_t batches = (p.ratings.count + batch - 1) / batch;
  parallel_rows(
      batches, resources.threads,
      [&](int64_t index, int thread) {
        update(p, half, index * batch, std::min(p.ratings.count, (index + 1) * batch),
               Workspace(scratch + thread * floats, rank));
      },
      1);
}

void sgd_blocked(const SgdParams& p, bool half, const CpuResources& resources) {
  const int32_t rank = p.row_factors.rank, grid = p.ratings.grid;
  const int64_t floats = CpuResources::padded(Workspace::floats(rank));
  float* scratch = resources.thread_scratch(floats);
  constexpr int64_t kMinRatingsPerThread =
      256;  // ratings of a step: fewer take less than waking it
  const int64_t of_step = p.ratings.count / grid;
  const auto threads =
      static_cast<int>(std::min<int64_t>(resources.threads, 1 + of_step / kMinRatingsPerThread));
  for (int32_t step = 0; step < grid; ++step)
    parallel_rows(
        grid, threads,
        [&](int64_t worker, int thread) {
          const auto own = static_cast<int32_t>(worker);
          const int64_t block = worker * grid + column_block(own, step, grid);
          update(p, half, p.ratings.blocks[block], p.ratings.blocks[block + 1],
                 Workspace(scratch + thread * floats, rank));
        },
        1);
}

}  // namespace alsbench
