// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/placeholders.h"

#include <algorithm>

namespace alsbench {

std::vector<std::string> placeholders_in(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = text.find('{'); begin != std::string_view::npos;
       begin = text.find('{', begin + 1)) {
    const size_t end = text.find('}', begin);
    if (end == std::string_view::npos) break;
    names.emplace_back(text.substr(begin + 1, end - begin - 1));
  }
  return names;
}

std::string filled(std::string_view text, const PlaceholderValues& values) {
  std::string result;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    result += text.substr(0, open);
    text.remove_prefix(open);
    const size_t end = text.find('}');
    const auto value = end == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(text.substr(1, end - 1)));
    if (value != values.end())
      result += value->second;
    else
      result += text.substr(0, 1);
    text.remove_prefix(value != values.end() ? end + 1 : std::min<size_t>(1, text.size()));
  }
  return result;
}

}  // namespace alsbench
