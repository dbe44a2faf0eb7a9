#include "kernels/cpu/bias.h"

#include "kernels/cpu/factor_rows.h"

namespace alsbench {

void bias_rows(const UpdateParams& params, bool half_factors, const CpuResources& resources) {
  const FactorsView& factors = params.factors;
  const int64_t floats = CpuResources::padded(factors.rank);
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    float* b = params.bias + item * params.solution.pitch;
    std::fill_n(b, params.solution.pitch, 0.0f);
    const RatingRow row = rating_row(params.ratings, params.first_row + item);
    for (int64_t k = 0; k < row.count; ++k) {
      const float* theta =
          factor_row(factors, half_factors, row.indices[k], scratch + thread * floats);
      simd().axpy(row.values[k], theta, b, factors.rank);
    }
  });
}

}  // namespace alsbench
