// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/start.h"

namespace alsbench {

void subsample_rows(const SubsampleParams& params, const CpuResources& resources) {
  parallel_rows_by_length(
      params.ratings.offsets, params.ratings.rows, resources.threads, [&](int64_t row, int) {
        const SubsampledRow sampled(params, row);
        const int64_t from = params.ratings.offsets[row], to = params.offsets[row];
        const float divisor = params.averaged != 0 ? static_cast<float>(sampled.taken) : 1;
        for (int64_t i = 0; i < sampled.taken; ++i) {
          const int64_t cell = from + sampled.place(i);
          params.indices[to + i] = params.ratings.indices[cell];
          params.values[to + i] = (params.ratings.values[cell] - params.mean) / divisor;
        }
      });
}

void blend_rows(const BlendParams& params, const CpuResources& resources) {
  const int64_t pitch = params.target.pitch;
  parallel_rows(
      params.target.rows, resources.threads,
      [&](int64_t row, int) {
        float* target = static_cast<float*>(params.target.data) + row * pitch;
        const float* other = static_cast<const float*>(params.other.data) + row * pitch;
        for (int64_t i = 0; i < pitch; ++i)
          target[i] = params.target_weight * target[i] + params.other_weight * other[i];
      },
      256);
}

}  // namespace alsbench
