// SPDX-License-Identifier: Apache-2.0
// Rows of few ratings in update/fused: solved in shared memory, without A_u, by kernels of their
// own (kernels/cuda/update/short_rows.cuh).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench::short_rows {

// The lengths that a short row may have at most: those of classes.
Parameter parameter();
std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits);
// A launch for each class.
std::vector<KernelLaunch> launches(const Config& config, const Shape& shape,
                                   const DeviceTraits& traits);

}  // namespace alsbench::short_rows
