// SPDX-License-Identifier: Apache-2.0
// Floats rounded to the types of element.cuh, and how many of them are too large for that.
#pragma once

#include "kernels/cuda/device/element.cuh"

namespace alsbench {

__device__ __forceinline__ bool is_finite(float value) {
  return (__float_as_uint(value) & 0x7f800000u) != 0x7f800000u;
}

// Adds to `overflows`, unless it is null, where a finite value becomes infinite.
template <typename Element>
__device__ __forceinline__ Element rounded(float value, uint32_t* overflows) {
  const Element element = Element::of(value);
  if (!is_finite(element.value()) && is_finite(value) && overflows != nullptr)
    atomicAdd(overflows, 1u);
  return element;
}

}  // namespace alsbench
