// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/factor_copy.h"

#include "kernels/shared/int8_factors.h"

namespace alsbench {

int64_t factor_copy_bytes(Scalar type, const FactorsView& factors) {
  if (type == Scalar::int8) return Int8Factors{factors.rank}.bytes(factors.rows);
  return factors.rows * factors.pitch * size_of(type);
}

void copy_factors(Device& device, void* target, Scalar type, const FactorsView& source,
                  uint32_t* overflows) {
  if (type == Scalar::int8)
    device.quantize(target, source, false);
  else
    device.convert(target, type, source.data, source.rows * source.pitch, overflows);
}

void clear_largest(Device& device, void* copy, int32_t rank) {
  const Int8Factors layout{rank};
  device.fill(static_cast<char*>(copy) + layout.largest_at(), 0,
              layout.rows_at() - layout.largest_at());
}

void copy_measured_factors(Device& device, void* copy, const FactorsView& source) {
  device.quantize(copy, source, true);
}

}  // namespace alsbench
