#include "kernels/cpu/update.h"

#include "kernels/cpu/bias.h"
#include "kernels/cpu/hermitian.h"
#include "kernels/cpu/solve.h"

namespace alsbench {
namespace {

// Batch row `item` as a batch of its own.
UpdateParams batch_of_row(UpdateParams params, int64_t item) {
  params.first_row += item;
  params.row_count = 1;
  if (params.steps != nullptr) params.steps += item;
  if (params.status != nullptr) params.status += item;
  return params;
}

}  // namespace

void update_blocked(const UpdateParams& params, bool half_factors, const CgOptions& options,
                    const CpuResources& resources) {
  const int rank = params.solution.rank;
  HermitianOptions hermitian;
  hermitian.half_factors = half_factors;
  hermitian.streaming = false;
  const int64_t matrix = CpuResources::padded(int64_t{rank} * rank);
  const int64_t bias = CpuResources::padded(params.solution.pitch);
  const int64_t forming = hermitian_floats(rank, hermitian);
  const int64_t floats = matrix + bias + forming + solve_cg_floats(rank);
  float* scratch = resources.thread_scratch(floats);
  std::fill_n(scratch, floats * resources.threads, 0.0f);
  const auto update_row = [&](int64_t item, int thread) {
    UpdateParams row = batch_of_row(params, item);
    float* memory = scratch + thread * floats;
    row.matrices = memory;
    row.bias = memory + matrix;
    float* const own = row.bias + bias;
    hermitian_blocked_row(row, hermitian, 0, own);
    bias_row(row, half_factors, 0, own + forming);
    solve_cg_row(row, false, options, 0, own + forming);
  };
  parallel_rows_by_length(params.ratings.offsets + params.first_row, params.row_count,
                          resources.threads, update_row);
}

}  // namespace alsbench
