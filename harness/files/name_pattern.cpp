// SPDX-License-Identifier: Apache-2.0
#include "harness/files/name_pattern.h"

#include <fmt/format.h>

#include "variants/core/error.h"

namespace alsbench {

std::regex name_pattern(const std::string& option, const std::string& text) {
  constexpr size_t kLongest = 1000;  // nesting costs stack
  if (text.size() > kLongest)
    throw UsageError(fmt::format("{}: the expression has {} characters, more than {}", option,
                                 text.size(), kLongest));
  try {
    return std::regex(text, std::regex::ECMAScript | std::regex_constants::__polynomial);
  } catch (const std::regex_error& error) {
    throw UsageError(
        fmt::format("{} '{}' is no regular expression: {}", option, text, error.what()));
  }
}

}  // namespace alsbench
