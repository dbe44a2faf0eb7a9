// SPDX-License-Identifier: Apache-2.0
#define ALSBENCH_SIMD generic
#include "kernels/cpu/simd/body.h"

namespace alsbench {

extern const SimdKernels kGenericKernels = generic::kernels("generic");

}  // namespace alsbench
