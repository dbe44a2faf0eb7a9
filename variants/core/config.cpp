// SPDX-License-Identifier: Apache-2.0
#include "variants/core/config.h"

#include <algorithm>
#include <stdexcept>

namespace alsbench {

const std::string& Config::get(std::string_view name) const {
  for (const auto& [key, value] : entries_)
    if (key == name) return value;
  throw std::out_of_range("configuration '" + text() + "' has no parameter '" + std::string(name) +
                          "'");
}

std::string Config::get_or(std::string_view name, std::string_view fallback) const {
  return has(name) ? get(name) : std::string(fallback);
}

int Config::integer(std::string_view name) const { return std::stoi(get(name)); }
double Config::number(std::string_view name) const { return std::stod(get(name)); }

bool Config::has(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const auto& e) { return e.first == name; });
}

void Config::set(std::string_view name, std::string_view value) {
  for (auto& [key, current] : entries_)
    if (key == name) {
      current = value;
      return;
    }
  entries_.emplace_back(name, value);
}

Config Config::with(std::string_view name, std::string_view value) const {
  Config copy = *this;
  copy.set(name, value);
  return copy;
}

std::string Config::text() const {
  std::string text;
  for (const auto& [key, value] : entries_) text += (text.empty() ? "" : ",") + key + "=" + value;
  return text;
}

}  // namespace alsbench
