// SPDX-License-Identifier: Apache-2.0
// The parts of a text between separators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

// Views of `text`, one more than it has of these separators, empty parts among them.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The same as texts of their own.
inline std::vector<std::string> split_texts(std::string_view text, std::string_view separators) {
  const std::vector<std::string_view> parts = split(text, separators);
  return {parts.begin(), parts.end()};
}

}  // namespace alsbench
