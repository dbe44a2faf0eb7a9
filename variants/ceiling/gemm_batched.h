// SPDX-License-Identifier: Apache-2.0
// Values of the ceiling gemm_batched, for its variants and for its check.
#pragma once

#include "variants/core/config.h"
#include "variants/core/scalar.h"

namespace alsbench {

// The type of the product's operands: fp32, tf32 (read as floats), fp16 or int8.
Scalar gemm_precision(const Config& config);

}  // namespace alsbench
