// SPDX-License-Identifier: Apache-2.0
// Shared by the variants on AMX tiles.
#pragma once

#include <optional>
#include <string>

#include "variants/core/variant.h"

namespace alsbench::amx_tiles {

// `factors`: what it says of the one type that there is.
ParameterSpace space(std::string factors);
// Why the device or the shape has no such variant.
std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits);

}  // namespace alsbench::amx_tiles
