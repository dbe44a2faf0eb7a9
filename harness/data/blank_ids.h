// SPDX-License-Identifier: Apache-2.0
// Ids that are one because the blanks around the fields of a line are cut.
#pragma once

#include <string>

#include "harness/data/text_columns.h"

namespace alsbench {

// Of the first text id that has other blanks around it than it has on another line: "line 7: the
// user ' a' is 'a' ..."; empty where there is none.
std::string merged_id(const TextPiece& whole, const Columns& columns);

}  // namespace alsbench
