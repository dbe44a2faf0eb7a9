// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#define ALSBENCH_SIMD avx512
#include "kernels/cpu/simd/body.h"

namespace alsbench {

extern const SimdKernels kAvx512Kernels = avx512::kernels("avx512");

}  // namespace alsbench

#endif
