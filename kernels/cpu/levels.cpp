// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/levels.h"

namespace alsbench {
namespace {

constexpr int kChunk = 4096;  // elements: fewer take no longer than waking a thread

}  // namespace

void centre_ratings(const CentreParams& p, const CpuResources& resources) {
  parallel_rows(
      p.ratings.nnz, resources.threads,
      [&](int64_t k, int) {
        p.values[k] = p.ratings.values[k] - p.mean - p.levels[p.ratings.indices[k]];
      },
      kChunk);
}

void set_level_columns(const LevelColumnsParams& p, const CpuResources& resources) {
  parallel_rows(
      p.factors.rows, resources.threads,
      [&](int64_t row, int) {
        if (p.offsets[row] == p.offsets[row + 1]) return;
        float* factors = static_cast<float*>(p.factors.data) + row * p.factors.pitch;
        if (p.takes != 0) p.levels[row] = factors[p.own] + p.shift;
        factors[p.own] = p.own_weight * (p.levels[row] - p.own_shift);
        factors[p.other] = p.other_value;
      },
      kChunk);
}

}  // namespace alsbench
