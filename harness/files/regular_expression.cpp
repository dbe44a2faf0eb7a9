// SPDX-License-Identifier: Apache-2.0
#include "harness/files/regular_expression.h"

#include <regex>

namespace alsbench {
namespace {

std::regex::flag_type flags_of(RegularExpression::Groups groups) {
  const auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
  return groups == RegularExpression::Groups::kept ? flags : flags | std::regex::nosubs;
}

}  // namespace

struct RegularExpression::Compiled {
  std::regex expression;
};

RegularExpression::RegularExpression(const std::string& text, Groups groups)
    : compiled_(std::make_shared<Compiled>(Compiled{std::regex(text, flags_of(groups))})) {}

bool RegularExpression::matches(const std::string& text) const {
  return std::regex_match(text, compiled_->expression);
}

bool RegularExpression::begins(const std::string& text) const {
  return std::regex_search(text, compiled_->expression, std::regex_constants::match_continuous);
}

bool RegularExpression::found_in(const std::string& text) const {
  return std::regex_search(text, compiled_->expression);
}

std::optional<std::vector<std::string>> RegularExpression::groups_in(
    const std::string& text) const {
  std::smatch match;
  if (!std::regex_search(text, match, compiled_->expression)) return std::nullopt;
  return std::vector<std::string>(std::next(match.begin()), match.end());
}

size_t RegularExpression::group_count() const { return compiled_->expression.mark_count(); }

}  // namespace alsbench
