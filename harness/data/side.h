// SPDX-License-Identifier: Apache-2.0
// Side: which of the two factor matrices is updated. It decides the layout of the ratings: x by
// user, theta by item.
#pragma once

#include <optional>
#include <string_view>

namespace alsbench {

enum class Side { x, theta };

constexpr Side other(Side side) { return side == Side::x ? Side::theta : Side::x; }
constexpr std::string_view name_of(Side side) { return side == Side::x ? "x" : "theta"; }

constexpr std::optional<Side> side_named(std::string_view name) {
  for (const Side side : {Side::x, Side::theta})
    if (name_of(side) == name) return side;
  return std::nullopt;
}

}  // namespace alsbench
