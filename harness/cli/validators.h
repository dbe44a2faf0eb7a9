// SPDX-License-Identifier: Apache-2.0
// Checks of numbers on the command line, with errors that say what is wanted.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>

#include "harness/files/regular_expression.h"

namespace alsbench {

// A variable of the shell that is not set makes an option empty, which then asks for something
// else.
inline CLI::Validator not_empty() {
  const auto check = [](std::string& text) -> std::string {
    return text.empty() ? "is empty; give a value, or drop the option" : "";
  };
  return {check, ""};
}

// As everybody reads it: CLI11 would take 0x10 for 16 and 010 for 8.
inline bool is_decimal(const std::string& text) {
  static const RegularExpression decimal(R"([+-]?(0|[1-9]\d*)?(\.\d*)?([eE][+-]?\d+)?)");
  return decimal.matches(text);
}
inline CLI::Validator decimal_number() {
  const auto check = [](std::string& text) -> std::string {
    if (is_decimal(text)) return {};
    return "'" + text + "': give a decimal number without leading zeros";
  };
  return {check, ""};
}

// Some options are floats, others integers. Values that a float would round to 0 are refused for
// all. So are values beyond 64 bits, which CLI11 would clamp.
inline CLI::Validator number_check(const char* wanted, bool (*holds)(double)) {
  const auto check = [wanted, holds](std::string& text) -> std::string {
    constexpr double kMinValue = 1e-37, kMaxValue = 1e18;
    double value = 0;
    const bool number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
    if (number && value != 0 && (std::abs(value) < kMinValue || std::abs(value) > kMaxValue))
      return "'" + text + "': give a number between 1e-37 and 1e18";
    if (number && holds(value)) return {};
    return "'" + text + "': give a number " + wanted;
  };
  return {check, ""};
}

inline CLI::Validator above_zero() {
  return number_check("above 0", [](double value) { return value > 0; });
}
inline CLI::Validator zero_or_more() {
  return number_check("of at least 0", [](double value) { return value >= 0; });
}

// Bytes, which the text becomes; CLI11 would name a type in place of an example.
inline CLI::Validator memory_size() {
  const auto check = [](std::string& text) -> std::string {
    constexpr uint64_t kMaxValue = uint64_t{1} << 60;
    std::string bytes = text;
    uint64_t size = 0;
    try {
      if (CLI::AsSizeValue(true)(bytes).empty()) CLI::detail::lexical_cast(bytes, size);
    } catch (const CLI::ValidationError&) {  // size stays 0
    }
    if (size == 0 || size > kMaxValue)
      return "'" + text + "': give a size such as 8GiB, above 0 and at most 1024 PiB";
    text = bytes;
    return {};
  };
  return {check, ""};
}

// Of 64 bits; CLI11 would clamp what is larger.
inline CLI::Validator seed_number() {
  const auto check = [](std::string& text) -> std::string {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return {};
    return "'" + text + "': give a whole number from 0 to 18446744073709551615";
  };
  return {check, ""};
}

// Adds an option whose value passes the check.
template <class Value>
CLI::Option* add_checked(CLI::App& command, const std::string& flag, Value& value,
                         const CLI::Validator& check, const std::string& help) {
  return command.add_option(flag, value, help)->check(check);
}

}  // namespace alsbench
