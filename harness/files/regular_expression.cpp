// SPDX-License-Identifier: Apache-2.0
#include "harness/files/regular_expression.h"

#include <algorithm>
#include <cstring>
#include <regex>

namespace alsbench {
namespace {

std::regex::flag_type flags_of(RegularExpression::Groups groups) {
  const auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
  return groups == RegularExpression::Groups::kept ? flags : flags | std::regex::nosubs;
}

// Whether something else may be found in place of what an expression begins with.
bool may_begin_otherwise(const std::string& expression) {
  if (expression.find('|') == std::string::npos) return false;
  if (expression.find('[') != std::string::npos) return true;  // a class may hold any of these
  int depth = 0;
  for (size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] == '\\')
      ++i;  // the next one is ordinary
    else if (expression[i] == '(')
      ++depth;
    else if (expression[i] == ')')
      --depth;
    else if (expression[i] == '|' && depth == 0)
      return true;
  }
  return false;
}

// The ordinary characters that an expression begins with: all that it finds has them. To look for
// them takes far less than std::regex does, and most filters are nothing else.
std::string beginning_of(const std::string& expression) {
  if (may_begin_otherwise(expression)) return "";
  const size_t end = std::min(expression.find_first_of("^$\\.*+?()[]{}"), expression.size());
  const bool may_repeat =
      end < expression.size() && std::strchr("*+?{", expression[end]) != nullptr;
  return expression.substr(0, may_repeat && end > 0 ? end - 1 : end);
}

}  // namespace

struct RegularExpression::Compiled {
  explicit Compiled(const std::string& text, Groups groups)
      : expression(text, flags_of(groups)),
        beginning(beginning_of(text)),
        is_ordinary(beginning == text) {}

  std::regex expression;
  std::string beginning;
  bool is_ordinary;  // it has no other characters
};

RegularExpression::RegularExpression(const std::string& text, Groups groups)
    : compiled_(std::make_shared<Compiled>(text, groups)) {}

bool RegularExpression::matches(const std::string& text) const {
  return std::regex_match(text, compiled_->expression);
}

bool RegularExpression::begins(const std::string& text) const {
  return std::regex_search(text, compiled_->expression, std::regex_constants::match_continuous);
}

bool RegularExpression::found_in(const std::string& text) const {
  if (text.find(compiled_->beginning) == std::string::npos) return false;
  return compiled_->is_ordinary || std::regex_search(text, compiled_->expression);
}

std::optional<std::vector<std::string>> RegularExpression::groups_in(
    const std::string& text) const {
  std::smatch match;
  if (!std::regex_search(text, match, compiled_->expression)) return std::nullopt;
  return std::vector<std::string>(std::next(match.begin()), match.end());
}

size_t RegularExpression::group_count() const { return compiled_->expression.mark_count(); }

}  // namespace alsbench
