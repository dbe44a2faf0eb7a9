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
    device.quantize(target, source);
  else
    device.convert(target, type, source.data, source.rows * source.pitch, overflows);
}

}  // namespace alsbench
