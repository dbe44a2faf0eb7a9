// SPDX-License-Identifier: Apache-2.0
// Factors as signed bytes with a scale a feature, on the CPU: the bytes of kernels/cuda's.
#pragma once

#include "kernels/shared/params/tools.h"

namespace alsbench {

// Raises the largest magnitudes of the copy to those of the source.
void find_largest(const QuantizeParams& params, int threads);
// Stores the source's rows, once for every weight, and the scales.
void quantize_factors(const QuantizeParams& params, int threads);
void carry_scales(const CarryScalesParams& params);
void share_largest(const ShareLargestParams& params);

}  // namespace alsbench
