// SPDX-License-Identifier: Apache-2.0
#include "variants/als/amx_tiles.h"

#include <fmt/format.h>

#include "kernels/cpu/tiles/tiles.h"
#include "variants/als/parameters.h"

namespace alsbench::amx_tiles {

ParameterSpace space(std::string factors) {
  return {parameters::factors({"int8"}, std::move(factors)),
          parameters::kWarm,
          parameters::kSteps,
          parameters::kLateSteps,
          parameters::kTolerance,
          parameters::kPrecondition};
}

std::optional<std::string> objection(const Config&, const Shape& shape,
                                     const DeviceTraits& traits) {
  if (!traits.tiles)
    return traits.no_tiles.empty() ? "the processor has no AMX tiles" : traits.no_tiles;
  if (shape.rank > kMaxTileRank)
    return fmt::format("the rank is {}, and tiles are built for {} at most", shape.rank,
                       kMaxTileRank);
  return std::nullopt;
}

}  // namespace alsbench::amx_tiles
