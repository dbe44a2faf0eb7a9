// SPDX-License-Identifier: Apache-2.0
#include "harness/files/name_pattern.h"

#include <fmt/format.h>

#include "variants/core/error.h"

namespace alsbench {
namespace {

// Whether ^ begins every alternative: whether all others are within parentheses.
bool is_anchored(const std::string& text) {
  int depth = 0;
  bool in_class = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\')
      ++i;
    else if (in_class)
      in_class = c != ']';
    else if (c == '[')
      in_class = true;
    else if (c == '|' && depth == 0)
      return false;
    else
      depth += (c == '(') - (c == ')');
  }
  return text.starts_with('^');
}

std::regex compiled(const std::string& option, const std::string& text) {
  constexpr size_t kLongest = 1000;  // nesting costs stack
  if (text.size() > kLongest)
    throw UsageError(fmt::format("{}: the expression has {} characters, more than {}", option,
                                 text.size(), kLongest));
  try {
    return std::regex(
        text, std::regex::ECMAScript | std::regex::nosubs | std::regex_constants::__polynomial);
  } catch (const std::regex_error& error) {
    throw UsageError(
        fmt::format("{} '{}' is no regular expression: {}", option, text, error.what()));
  }
}

}  // namespace

NamePattern::NamePattern(const std::string& option, const std::string& text)
    : pattern_(compiled(option, text)),
      where_(is_anchored(text) ? std::regex_constants::match_continuous
                               : std::regex_constants::match_default) {}

}  // namespace alsbench
