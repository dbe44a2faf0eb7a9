// SPDX-License-Identifier: Apache-2.0
#include "variants/als/amx_tiles.h"

#include <fmt/format.h>

#include "variants/als/parameters.h"

namespace alsbench::amx_tiles {

ParameterSpace space(const std::string& bytes, const std::string& bfloats) {
  return {parameters::factors({"int8", "bf16"}, fmt::format("int8: {}; bf16: {}", bytes, bfloats)),
          parameters::kWarm,
          parameters::kSteps,
          parameters::kLateSteps,
          parameters::kTolerance,
          parameters::kPrecondition};
}

TileElement element(const Config& config) {
  return parameters::factors_type(config) == Scalar::bf16 ? TileElement::bf16 : TileElement::int8;
}

std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits) {
  const bool bytes = element(config) == TileElement::int8;
  if (!(bytes ? traits.tiles : traits.bfloat_tiles)) {
    const std::string& why = bytes ? traits.no_tiles : traits.no_bfloat_tiles;
    return why.empty() ? "the processor has no AMX tiles" : why;
  }
  if (shape.rank > kMaxTileRank)
    return fmt::format("the rank is {}, and tiles are built for {} at most", shape.rank,
                       kMaxTileRank);
  return std::nullopt;
}

}  // namespace alsbench::amx_tiles
