// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/axis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/split.h"
#include "base/suggestion.h"

namespace alsbench {
namespace {

constexpr int64_t kMaxValues = 10000;

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> trimmed_parts(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts = split(text, separator);
  for (std::string_view& part : parts) part = trim(part);
  return parts;
}

[[noreturn]] void fail(std::string_view axis, const std::string& why) {
  throw UsageError(
      fmt::format("axis '{}': {}; write N=v, N=[a,b], N=[start:stop:stride] or "
                  "N[pow2]=[start:stop:stride]",
                  axis, why));
}

int64_t integer(std::string_view axis, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(axis, fmt::format("'{}' is not a whole number", text));
  return value;
}

std::vector<int64_t> range(std::string_view axis, std::string_view text) {
  const auto parts = trimmed_parts(text, ":");
  if (parts.size() > 3) fail(axis, fmt::format("'{}' has too many colons", text));
  const int64_t start = integer(axis, parts[0]), stop = integer(axis, parts[1]);
  const int64_t stride = parts.size() == 3 ? integer(axis, parts[2]) : 1;
  if (stride < 1) fail(axis, "the stride must be at least 1");
  if (stop < start) fail(axis, fmt::format("stop {} is below start {}", stop, start));
  // Unsigned, since the width of a range and the value behind it may be beyond the signed ones.
  const uint64_t width = static_cast<uint64_t>(stop) - static_cast<uint64_t>(start);
  const uint64_t steps = width / static_cast<uint64_t>(stride);
  if (steps >= static_cast<uint64_t>(kMaxValues)) fail(axis, "more than 10000 values");
  std::vector<int64_t> values;
  for (uint64_t step = 0; step <= steps; ++step)
    values.push_back(start + static_cast<int64_t>(step) * stride);
  return values;
}

std::string power_of_two(std::string_view axis, int64_t exponent) {
  if (exponent < 0 || exponent > 62)
    fail(axis, fmt::format("exponent {} is outside 0 to 62", exponent));
  return std::to_string(int64_t{1} << exponent);
}

}  // namespace

Axis parse_axis(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) fail(text, "has no '='");
  std::string_view name = trim(text.substr(0, equals));
  const std::string_view value = trim(text.substr(equals + 1));
  bool pow2 = false;
  if (const size_t bracket = name.find('['); bracket != std::string_view::npos) {
    const std::string_view flag = name.substr(bracket);
    if (flag != "[pow2]" && flag != "[]") fail(text, fmt::format("unknown flag '{}'", flag));
    pow2 = flag == "[pow2]";
    name = trim(name.substr(0, bracket));
  }
  if (name.empty()) fail(text, "has no name");
  if (value.empty()) fail(text, "has no value");
  std::string_view list = value;
  if (value.front() == '[') {
    if (value.back() != ']' || value.size() < 3) fail(text, "needs values between '[' and ']'");
    list = value.substr(1, value.size() - 2);
  }
  Axis axis{std::string(name), {}};
  for (const std::string_view item : trimmed_parts(list, ",")) {
    if (item.empty()) fail(text, "has an empty value");
    if (item.find(':') != std::string_view::npos) {
      for (const int64_t number : range(text, item))
        axis.values.push_back(pow2 ? power_of_two(text, number) : std::to_string(number));
    } else {
      axis.values.push_back(pow2 ? power_of_two(text, integer(text, item)) : std::string(item));
    }
  }
  return axis;
}

void check_combination_count(size_t combinations, const std::string& axis, size_t values) {
  constexpr size_t kMaxValue = 1'000'000;
  if (values > kMaxValue / std::max<size_t>(1, combinations))
    throw UsageError(fmt::format(
        "axis '{}': its {} values and those of the axes before it make more than {} points; name "
        "fewer, each once",
        axis, values, kMaxValue));
}

bool accepts(const Variant& variant, const std::string& parameter, const std::string& value) {
  const Parameter* known = variant.space.find(parameter);
  return known != nullptr && known->takes(value);
}

std::optional<std::string> axis_problem(const std::vector<const Variant*>& variants,
                                        const std::string& axis, const std::string& value) {
  std::vector<std::string> names;
  std::vector<const Parameter*> parameters;
  for (const Variant* variant : variants) {
    for (const Parameter& parameter : variant->space.parameters())
      if (std::ranges::find(names, parameter.name) == names.end()) names.push_back(parameter.name);
    const Parameter* parameter = variant->space.find(axis);
    if (parameter == nullptr) continue;
    if (parameter->takes(value)) return std::nullopt;
    parameters.push_back(parameter);
  }
  return parameters.empty() ? unknown_name("parameter", axis, names)
                            : unknown_value(parameters, value);
}

std::vector<Config> expand_axes(const Variant& variant, const std::string& base,
                                const std::vector<Axis>& axes) {
  std::vector<Config> configs{variant.space.parse(base)};
  for (const Axis& axis : axes) {
    if (variant.space.find(axis.name) == nullptr) continue;
    check_combination_count(configs.size(), axis.name, axis.values.size());
    std::vector<Config> expanded;
    for (const Config& config : configs)
      for (const std::string& value : axis.values)
        if (accepts(variant, axis.name, value))
          expanded.push_back(variant.space.assign(config, axis.name, value));
    configs = std::move(expanded);
  }
  return configs;
}

}  // namespace alsbench
