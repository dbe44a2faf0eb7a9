// SPDX-License-Identifier: Apache-2.0
// Checks of numbers on the command line, with errors that say what is wanted.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace alsbench {

inline CLI::Validator number_check(const char* wanted, bool (*holds)(double)) {
  const auto check = [wanted, holds](std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && holds(value)) return {};
    return "'" + text + "': give a number " + wanted;
  };
  return {check, ""};
}

inline CLI::Validator above_zero() {
  return number_check("above 0", [](double value) { return value > 0; });
}
inline CLI::Validator zero_or_more() {
  return number_check("that is not negative", [](double value) { return value >= 0; });
}

}  // namespace alsbench
