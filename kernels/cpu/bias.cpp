// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/bias.h"

#include "kernels/cpu/factor_rows.h"

namespace alsbench {

void bias_row(const UpdateParams& params, bool half_factors, int64_t item, float* scratch) {
  const FactorsView& factors = params.factors;
  float* b = params.bias + item * params.solution.pitch;
  std::fill_n(b, params.solution.pitch, 0.0f);
  const RatingRow row = rating_row(params.ratings, params.first_row + item);
  for (int64_t k = 0; k < row.count; ++k)
    simd().axpy(row.values[k], factor_row(factors, half_factors, row.indices[k], scratch), b,
                factors.rank);
}

void bias_rows(const UpdateParams& params, bool half_factors, const CpuResources& resources) {
  const int64_t floats = CpuResources::padded(params.factors.rank);
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    bias_row(params, half_factors, item, scratch + thread * floats);
  });
}

}  // namespace alsbench
