// SPDX-License-Identifier: Apache-2.0
#include "harness/files/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"

namespace alsbench {
namespace {

// Whether ^ surely begins every alternative: whether all others are within parentheses. Brackets
// may contain anything, so there must be no alternatives next to them.
bool is_anchored(const std::string& text) {
  if (!text.starts_with('^')) return false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') return text.find('|') == std::string::npos;
    if (c == '|' && depth == 0) return false;
    if (c == '\\') ++i;
    depth += (c == '(') - (c == ')');
  }
  return true;
}

// Compiling takes stack for each character of an alternative and for each parenthesis, and memory
// for all of them. A list of many names is one expression of many short alternatives.
void check_size(const std::string& option, const std::string& text) {
  constexpr size_t kLongest = 100'000, kLongestAlternative = 1000;
  constexpr std::ptrdiff_t kMaxParentheses = 1000;
  if (text.size() > kLongest)
    throw UsageError(fmt::format("{}: the expression has {} characters, more than {}", option,
                                 text.size(), kLongest));
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('|', begin), text.size());
    if (end - begin > kLongestAlternative)
      throw UsageError(fmt::format("{}: the expression has {} characters without a |, more than {}",
                                   option, end - begin, kLongestAlternative));
    begin = end + 1;
  }
  const auto parentheses = std::count(text.begin(), text.end(), '(');
  if (parentheses > kMaxParentheses)
    throw UsageError(fmt::format("{}: the expression has {} parentheses, more than {}", option,
                                 parentheses, kMaxParentheses));
}

RegularExpression compiled(const std::string& option, const std::string& text) {
  check_size(option, text);
  try {
    return RegularExpression(text);
  } catch (const std::runtime_error& error) {
    throw UsageError(
        fmt::format("{} '{}' is no regular expression: {}", option, text, error.what()));
  }
}

}  // namespace

NamePattern::NamePattern(const std::string& option, const std::string& text)
    : expression_(compiled(option, text)), anchored_(is_anchored(text)) {}

}  // namespace alsbench
