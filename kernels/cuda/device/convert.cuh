// SPDX-License-Identifier: Apache-2.0
// Floats rounded to another element type, and elements as floats: what CudaDevice::convert and
// CudaDevice::widen run.
#pragma once

#include "kernels/cuda/device/round.cuh"
#include "kernels/shared/params/tools.h"

namespace alsbench {

template <typename Element>
__global__ void convert_floats(ConvertParams params) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  auto* target = static_cast<Element*>(params.target);
  for (int64_t i = first; i < params.count; i += stride)
    target[i] = rounded<Element>(params.source[i], params.overflows);
}

template <typename Element>
__global__ void widen_elements(WidenParams params) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto* source = static_cast<const Element*>(params.source);
  for (int64_t i = first; i < params.count; i += stride) params.target[i] = source[i].value();
}

}  // namespace alsbench
