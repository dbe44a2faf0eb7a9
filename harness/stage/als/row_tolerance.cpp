// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/row_tolerance.h"

#include <algorithm>

#include "harness/stage/tolerance.h"
#include "variants/core/variant.h"

namespace alsbench {

double row_tolerance(const Config& config, int64_t count) {
  double tolerance = sum_tolerance(count);
  // Pieces are added up by floating-point units, which round to nearest.
  const int64_t piece = config.has("chunk") ? config.integer("chunk") : count;
  if (config.is("sums", "tensor_cores"))
    tolerance +=
        truncation_tolerance(std::min(count, piece)) + two_parts_tolerance(factors_storage(config));
  return tolerance;
}

}  // namespace alsbench
