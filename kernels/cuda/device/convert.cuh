// Floats rounded to another element type: what CudaDevice::convert runs.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/shared/tool_params.h"

namespace alsbench {

template <typename Element>
__global__ void convert_floats(ConvertParams params) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  auto* target = static_cast<Element*>(params.target);
  const auto finite = [](float value) {
    return (__float_as_uint(value) & 0x7f800000u) != 0x7f800000u;
  };
  for (int64_t i = first; i < params.count; i += stride) {
    const Element element = Element::of(params.source[i]);
    if (params.overflows != nullptr && finite(params.source[i]) && !finite(element.value()))
      atomicAdd(params.overflows, 1u);
    target[i] = element;
  }
}

}  // namespace alsbench
