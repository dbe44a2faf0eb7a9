// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#define ALSBENCH_SIMD avx2
#include "kernels/cpu/simd/body.h"

namespace alsbench {

extern const SimdKernels kAvx2Kernels = avx2::kernels("avx2");

}  // namespace alsbench

#endif
