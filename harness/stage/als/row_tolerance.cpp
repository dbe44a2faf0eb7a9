// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/row_tolerance.h"

#include "harness/stage/tolerance.h"
#include "variants/als/parameters.h"

namespace alsbench {

double row_tolerance(const Config& config, int64_t count, int architecture) {
  const double tolerance = sum_tolerance(count);
  const Scalar factors = parameters::factors_type(config);
  constexpr double kScaled = 0x1p-22;  // by two scales
  if (factors == Scalar::int8) return tolerance + kScaled;
  if (!parameters::sums_truncate(config)) return tolerance;
  // Pieces are added up by floating-point units, which round to nearest.
  const int64_t terms = parameters::ratings_of_piece(config, count);
  if (factors != Scalar::fp8)
    return tolerance + truncation_tolerance(terms) + two_parts_tolerance(factors);
  return tolerance + kScaled +
         (architecture == 89 ? short_sum_tolerance(terms) : truncation_tolerance(terms));
}

}  // namespace alsbench
