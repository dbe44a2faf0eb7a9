// SPDX-License-Identifier: Apache-2.0
// Limit: which values a field may have beside its type: an interval, a list of names, a pattern.
// A value outside is an error, and the JSON Schema has the same limit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/record/json.h"

namespace alsbench {

struct Limit {
  std::function<void(const JsonField&)> check;      // of a value of any type; throws
  std::function<void(Json& schema)> describe = {};  // adds it to the schema of the type
};

// A time is above 0 and below a century, a duration may be 0; `not_empty` is of lists and texts.
struct Range {
  enum class Kind { any, from_0, from_1, above_0, share, time, duration, not_empty };
};

namespace limits {

Limit range(Range::Kind kind);
Limit interval(double minimum, double maximum);
// Of a text, or of each text of a list.
Limit names(std::string kind, std::function<std::vector<std::string>()> known);
Limit pattern(const std::string& pattern, std::string remedy);

}  // namespace limits

}  // namespace alsbench
