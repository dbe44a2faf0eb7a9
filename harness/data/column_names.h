// SPDX-License-Identifier: Apache-2.0
// The names by which the columns of a header are known.
#pragma once

#include <string>
#include <string_view>

#include "harness/data/column_choice.h"

namespace alsbench {

// How well a name is known to be that of a role: not, because it begins with a known one, or as it
// is.
enum class Match { none, begins, exact };
Match match_of(std::string_view name, ColumnRole role);

// A name without the type that RecBole writes behind it: "item_id" of "item_id:token".
std::string_view without_type(std::string_view name);

// The known names of a role, for messages.
std::string known_names(ColumnRole role);

}  // namespace alsbench
