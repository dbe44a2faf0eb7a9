// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/row_tolerance.h"

#include "harness/stage/tolerance.h"
#include "variants/als/knobs.h"

namespace alsbench {

double row_tolerance(const Config& config, int64_t count) {
  const double tolerance = sum_tolerance(count);
  if (knobs::factors_type(config) == Scalar::int8) return tolerance + 0x1p-22;
  if (!knobs::sums_truncate(config)) return tolerance;
  // Pieces are added up by floating-point units, which round to nearest.
  return tolerance + truncation_tolerance(knobs::ratings_of_piece(config, count)) +
         two_parts_tolerance(knobs::factors_type(config));
}

}  // namespace alsbench
