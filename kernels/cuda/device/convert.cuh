// Float to IEEE half, round to nearest even, overflow to infinity: what CudaDevice::to_half runs.
#pragma once

#include "kernels/shared/tool_params.h"

namespace alsbench {

__global__ void floats_to_halves(ConvertParams params) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int64_t i = first; i < params.count; i += stride) {
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(params.source[i]));
    params.target[i] = half;
  }
}

}  // namespace alsbench
