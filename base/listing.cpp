// SPDX-License-Identifier: Apache-2.0
#include "base/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace alsbench {

std::string listing(std::vector<std::string> names, size_t shown) {
  if (names.size() > shown) {
    const size_t more = names.size() - shown;
    names.resize(shown);
    names.push_back(fmt::format("{} more", more));
  }
  if (names.empty()) return "";
  const std::string last = std::move(names.back());
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace alsbench
