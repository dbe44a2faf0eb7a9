// SPDX-License-Identifier: Apache-2.0
// What the values of the roof gemm_batched mean, for its variants and for its check.
#pragma once

#include "variants/core/config.h"
#include "variants/core/scalar.h"

namespace alsbench {

// What the product multiplies: fp32, tf32 (read as floats) or fp16.
Scalar gemm_precision(const Config& config);

}  // namespace alsbench
