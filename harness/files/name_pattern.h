// SPDX-License-Identifier: Apache-2.0
// What --filter takes: a regular expression that names are searched with.
#pragma once

#include <regex>
#include <string>

namespace alsbench {

// Searching with it takes a time that is polynomial in the name's length, and bounded memory: it
// knows no back references. Throws UsageError naming `option` where `text` is none or too long.
std::regex name_pattern(const std::string& option, const std::string& text);

}  // namespace alsbench
