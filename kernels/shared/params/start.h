// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages that begin and speed up a training: subsample and blend.
#pragma once

#include "kernels/shared/generate.h"
#include "kernels/shared/views.h"

namespace alsbench {

// Of each row of `ratings`, the cells that `offsets` leaves room for, evenly spaced from a random
// place on: they are distinct and ascending. A row of the subsample is not longer than the row.
struct SubsampleParams {
  RatingsView ratings;
  const int64_t* offsets = nullptr;  // rows + 1; of the subsample
  int32_t* indices = nullptr;        // of the subsample, as many as its last offset
  float* values = nullptr;           // the same
  float mean = 0;                    // taken off each value
  int32_t averaged = 0;  // not 0: values are divided by the length of the subsampled row
  uint64_t seed = 0;
};

// Target = a target + b other, element by element; the padding of both is zero.
struct BlendParams {
  FactorsView target;  // float
  FactorsView other;   // float, as large
  float target_weight = 1;
  float other_weight = 0;
};

// The cells that a row of a subsample has.
struct SubsampledRow {
  int64_t count = 0;  // cells of the whole row
  int64_t taken = 0;  // of the subsample, at most as many
  int64_t phase = 0;  // less than count
  double step = 0;    // 1 / taken

  ALSBENCH_HOST_DEVICE SubsampledRow(const SubsampleParams& p, int64_t row)
      : count(p.ratings.offsets[row + 1] - p.ratings.offsets[row]),
        taken(p.offsets[row + 1] - p.offsets[row]),
        phase(static_cast<int64_t>(multiply_high(mix64(mix64(p.seed) ^ static_cast<uint64_t>(row)),
                                                 static_cast<uint64_t>(count)))),
        step(taken > 0 ? 1.0 / static_cast<double>(taken) : 0) {}
  // Where in the row cell `i` of the subsample comes from: (i count + phase) / taken, rounded down.
  // With phase < count the last one is inside. The half keeps the product, whose rounding error is
  // less than count 2^-51, off whole numbers: it is exact, and faster than a 64-bit division.
  ALSBENCH_HOST_DEVICE int64_t place(int64_t i) const {
    return static_cast<int64_t>((static_cast<double>(i * count + phase) + 0.5) * step);
  }
};

}  // namespace alsbench
