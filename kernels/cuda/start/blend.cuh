// SPDX-License-Identifier: Apache-2.0
// blend: a thread four elements; any grid.
#pragma once

#include "kernels/shared/params/start.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) blend_elements(BlendParams p) {
  const int64_t vectors = p.target.rows * p.target.pitch / 4;
  auto* target = static_cast<float4*>(p.target.data);
  const auto* other = static_cast<const float4*>(p.other.data);
  const float a = p.target_weight, b = p.other_weight;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < vectors;
       i += int64_t{gridDim.x} * kThreads) {
    const float4 x = target[i], y = other[i];
    target[i] =
        make_float4(a * x.x + b * y.x, a * x.y + b * y.y, a * x.z + b * y.z, a * x.w + b * y.w);
  }
}

}  // namespace alsbench
