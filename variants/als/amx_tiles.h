// SPDX-License-Identifier: Apache-2.0
// Shared by the variants on AMX tiles.
#pragma once

#include <optional>
#include <string>

#include "kernels/cpu/tiles/tiles.h"
#include "variants/core/variant.h"

namespace alsbench::amx_tiles {

// `bytes`, `bfloats`: what the types of factors are there.
ParameterSpace space(const std::string& bytes, const std::string& bfloats);
TileElement element(const Config& config);
// Why the device or the shape has no such variant.
std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits);

}  // namespace alsbench::amx_tiles
