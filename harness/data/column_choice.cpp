// SPDX-License-Identifier: Apache-2.0
#include "harness/data/column_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace alsbench {

const char* name_of(ColumnRole role) {
  constexpr std::array kNames{"user", "item", "rating", "time"};
  return kNames[static_cast<size_t>(role)];
}

ColumnChoice::ColumnChoice(const std::string& text, const std::string& values) : values_(values) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(
        fmt::format("columns '{}': {}; give a name of the header or a number from 1 for each: {}",
                    text, what, kColumnsForm));
  };
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const auto role = std::find_if(kColumnRoles.begin(), kColumnRoles.end(),
                                   [&](ColumnRole known) { return name == name_of(known); });
    if (role == kColumnRoles.end())
      fail(fmt::format("'{}' is none of user, item, rating and time", name));
    std::string& column = columns_[static_cast<size_t>(*role)];
    if (!column.empty()) fail(fmt::format("the {} is named twice", name));
    column = part.substr(std::min(equals + 1, part.size()));
    if (column.empty()) fail(fmt::format("the {} has no column", name));
  }
  for (const ColumnRole a : kColumnRoles)
    for (const ColumnRole b : kColumnRoles)
      if (a < b && !of(a).empty() && of(a) != kNoColumn && of(a) == of(b))
        fail(fmt::format("{} and {} are one column", name_of(a), name_of(b)));
}

bool ColumnChoice::empty() const {
  return std::all_of(columns_.begin(), columns_.end(),
                     [](const std::string& column) { return column.empty(); });
}

}  // namespace alsbench
