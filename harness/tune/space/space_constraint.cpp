// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/space/space_constraint.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "variants/core/error.h"

namespace alsbench {
namespace {

// Longer ones first: "<=" must not be read as "<".
constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", ">=", "<", ">"};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::vector<std::string> factors(std::string_view side, std::string_view whole) {
  std::vector<std::string> list;
  while (true) {
    const size_t end = side.find('*');
    list.push_back(trimmed(side.substr(0, end)));
    if (list.back().empty())
      throw UsageError(
          fmt::format("condition '{}' lacks a factor; write e.g. a * b <= 1024", whole));
    if (end == std::string_view::npos) return list;
    side.remove_prefix(end + 1);
  }
}

bool compare(const std::string& comparison, double left, double right) {
  if (comparison == "==") return left == right;
  if (comparison == "!=") return left != right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">=") return left >= right;
  return comparison == "<" ? left < right : left > right;
}

// A word stands for the parameter of that name, or else for itself.
std::string value_of(const std::string& factor, const Config& config) {
  return config.get_or(factor, factor);
}

std::optional<double> product(const std::vector<std::string>& factors, const Config& config) {
  double result = 1;
  for (const std::string& factor : factors) {
    const auto value = number(value_of(factor, config));
    if (!value) return std::nullopt;
    result *= *value;
  }
  return result;
}

}  // namespace

Condition::Condition(std::string_view text) : text_(text) {
  size_t at = std::string_view::npos;
  for (const std::string_view candidate : kComparisons) {
    at = text.find(candidate);
    if (at == std::string_view::npos) continue;
    comparison_ = candidate;
    break;
  }
  if (comparison_.empty())
    throw UsageError(
        fmt::format("condition '{}' has no comparison (one of: ==, !=, <=, >=, <, >)", text));
  left_ = factors(text.substr(0, at), text);
  right_ = factors(text.substr(at + comparison_.size()), text);
  for (const auto* side : {&left_, &right_})
    for (const std::string& factor : *side)
      if (!number(factor)) parameters_.push_back(factor);
}

bool Condition::holds(const Config& config) const {
  const auto left = product(left_, config), right = product(right_, config);
  if (left && right) return compare(comparison_, *left, *right);
  // Words: equal or not; a parameter that the variant lacks makes the condition void.
  if (left_.size() > 1 || right_.size() > 1 || !config.has(left_[0])) return true;
  const bool equal = value_of(left_[0], config) == value_of(right_[0], config);
  if (comparison_ == "==") return equal;
  return comparison_ != "!=" || !equal;
}

}  // namespace alsbench
