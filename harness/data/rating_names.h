// SPDX-License-Identifier: Apache-2.0
// Ratings that are names, such as 'view': their values, and what to do about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/data/text_columns.h"

namespace alsbench {

// The rating in a field: a number, or the value of a name. Nothing where lines with the name are
// left out. Throws UsageError with a remedy: --values, or another column where that has numbers.
std::optional<float> rating_in(const LineReader& reader, const Columns& columns,
                               std::string_view field);

}  // namespace alsbench
