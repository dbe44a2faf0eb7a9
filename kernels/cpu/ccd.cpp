// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/ccd.h"

#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

void change_residuals(const CcdUpdateParams& p, int64_t row) {
  const RatingRow ratings = rating_row(p.ratings, row);
  float* residuals = p.residuals + p.ratings.offsets[row];
  const CcdValues own = p.own[row];
  for (int64_t k = 0; k < ratings.count; ++k) {
    const CcdValues& other = p.others[ratings.indices[k]];
    residuals[k] += own.last_before * other.last_before - own.last_after * other.last_after;
  }
}

void update_value(const CcdUpdateParams& p, int64_t row) {
  const RatingRow ratings = rating_row(p.ratings, row);
  if (ratings.count == 0) return;
  const float* residuals = p.residuals + p.ratings.offsets[row];
  const float before = p.own[row].before;
  float products = 0, squares = p.lambda * static_cast<float>(ratings.count);
  for (int64_t k = 0; k < ratings.count; ++k) {
    const CcdValues& other = p.others[ratings.indices[k]];
    products += (residuals[k] + before * other.before) * other.now;
    squares += other.now * other.now;
  }
  p.own[row].now = squares > 0 ? products / squares : before;
}

template <class Body>
void for_each_row(const CcdUpdateParams& p, const CpuResources& resources, const Body& body) {
  parallel_rows_by_length(p.ratings.offsets, p.ratings.rows, resources.threads,
                          [&](int64_t row, int) { body(row); });
}

}  // namespace

// A row's residuals are in the nearest cache when its value is updated.
void ccd_fused(const CcdUpdateParams& p, const CpuResources& resources) {
  for_each_row(p, resources, [&](int64_t row) {
    if (p.first != 0) change_residuals(p, row);
    update_value(p, row);
  });
}

void ccd_separate(const CcdUpdateParams& p, const CpuResources& resources) {
  if (p.first != 0) for_each_row(p, resources, [&](int64_t row) { change_residuals(p, row); });
  for_each_row(p, resources, [&](int64_t row) { update_value(p, row); });
}

void ccd_next(const CcdNextParams& p, const CpuResources& resources) {
  constexpr int kRowsPerChunk = 1024;  // less takes no longer than waking a thread
  parallel_rows(
      p.factors.rows, resources.threads,
      [&](int64_t row, int) {
        float* factors = static_cast<float*>(p.factors.data) + row * p.factors.pitch;
        CcdValues& values = p.values[row];
        if (p.last >= 0) factors[p.last] = values.now;
        const float next = factors[p.next];
        values = {values.before, values.now, next, next};
      },
      kRowsPerChunk);
}

}  // namespace alsbench
