// SPDX-License-Identifier: Apache-2.0
#include "harness/data/name_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "harness/data/column_choice.h"
#include "harness/data/text_reader.h"

namespace alsbench {

NameValues::NameValues(const std::string& text) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(
        fmt::format("values '{}': {}; give a number for each name, or {} to leave its lines out: "
                    "--values view=1,addtocart=5,search={}",
                    text, what, kNoColumn, kNoColumn));
  };
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.rfind('=');  // a name may have one, too
    if (equals == std::string::npos) fail(fmt::format("{} has no value", shown(part)));
    const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
    float number = 0;
    if (name.empty()) fail(fmt::format("{} has no name", shown(part)));
    if (find(name) != nullptr) fail(fmt::format("{} is named twice", shown(name)));
    if (value != kNoColumn && !parse_rating(value, number))
      fail(fmt::format("{} is not a finite number", shown(value)));
    values_.emplace_back(name, value == kNoColumn ? Value() : Value(number));
  }
}

const NameValues::Value* NameValues::find(std::string_view name) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.first == name; });
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string> NameValues::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

std::vector<std::string> NameValues::left_out() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_)
    if (!value) names.push_back(name);
  return names;
}

}  // namespace alsbench
