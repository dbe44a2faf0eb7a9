// SPDX-License-Identifier: Apache-2.0
// {name} in the commands of peers, and what it stands for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

using PlaceholderValues = std::map<std::string, std::string>;

// The names in a text, in their order.
std::vector<std::string> placeholders_in(std::string_view text);
// The text with a value in place of each name that has one.
std::string filled(std::string_view text, const PlaceholderValues& values);

}  // namespace alsbench
