// SPDX-License-Identifier: Apache-2.0
// The pattern of --filter: a regular expression that names are searched with.
#pragma once

#include <regex>
#include <string>

namespace alsbench {

// Searching takes a time that is polynomial in the name's length, and bounded memory: the
// expression knows no back references. One that begins with ^ is tried at the beginning alone.
class NamePattern {
 public:
  // Throws UsageError naming `option` where `text` is no regular expression, or too long.
  NamePattern(const std::string& option, const std::string& text);
  bool found_in(const std::string& name) const { return std::regex_search(name, pattern_, where_); }

 private:
  std::regex pattern_;
  std::regex_constants::match_flag_type where_;
};

}  // namespace alsbench
