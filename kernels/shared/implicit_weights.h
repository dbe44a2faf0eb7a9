// SPDX-License-Identifier: Apache-2.0
// How the tensor-core variants of implicit ALS weigh ratings. A row's sums are of rounded products
// h = w theta, where w is the root of s alpha r, rounded to the factors' type: the sum of h h^T is
// s times that of alpha r theta theta^T. b_u, with them in the product, is the sum of q h, where q
// = t (1 + alpha r) / w. The scales s and t are powers of two that keep w and q in range.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

struct WeightScale {
  uint32_t weight_bits;  // s, as the bits of a float
  uint32_t bias_bits;    // s / t: b_u of the sums times that is s b_u; without s it is b_u
};

// The largest alpha r is below 2^15 times `bits`, which are those of the float alpha / half_scale,
// and no less than a quarter of that. w is then below 32, and q not much larger for the largest
// rating.
ALSBENCH_HOST_DEVICE constexpr WeightScale weight_scale(uint32_t bits) {
  constexpr uint32_t kOne = 127u << 23, kTop = 9u << 23, kMinValue = 30u << 23,
                     kMaxValue = 220u << 23;
  uint32_t exponent = (bits & (0xffu << 23)) + (15u << 23);
  exponent = exponent < kMinValue ? kMinValue : exponent > kMaxValue ? kMaxValue : exponent;
  const uint32_t weight = 2 * kOne + kTop - exponent;
  return {weight, exponent < kOne ? 2 * kOne - exponent : kOne};
}

}  // namespace alsbench
