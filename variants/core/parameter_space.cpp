// SPDX-License-Identifier: Apache-2.0
#include "variants/core/parameter_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/suggestion.h"

namespace alsbench {
namespace {

// The whole text as a number from `minimum` to `maximum`.
template <class T>
bool is_number(std::string_view text, T minimum, T maximum) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= minimum &&
         value <= maximum;
}

constexpr int kMaxInteger = 1000000;

}  // namespace

bool Parameter::takes(std::string_view value) const {
  const bool allowed =
      whole ? is_number<int>(value, 1, kMaxInteger) : is_number<double>(value, 0, maximum);
  return (open && allowed) || std::any_of(values.begin(), values.end(),
                                          [&](const Value& known) { return known.text == value; });
}

std::string unknown_value(const std::vector<const Parameter*>& parameters, std::string_view value) {
  std::vector<std::string> values;
  bool open = false, whole = true;
  double maximum = 0;
  for (const Parameter* parameter : parameters) {
    open = open || parameter->open;
    whole = whole && parameter->whole;
    maximum = std::max(maximum, parameter->maximum);
    for (const Value& known : parameter->values)
      if (std::find(values.begin(), values.end(), known.text) == values.end())
        values.push_back(known.text);
  }
  const std::string what =
      "parameter '" + parameters.front()->name + "' has no value '" + std::string(value) + "'";
  if (!open) return what + suggestion(value, values);
  if (whole) return what + "; give a whole number from 1 to " + std::to_string(kMaxInteger);
  if (maximum == std::numeric_limits<double>::max()) return what + "; give a number of at least 0";
  return what + fmt::format("; give a number from 0 to {}", maximum);
}

const Parameter* ParameterSpace::find(std::string_view name) const {
  for (const auto& parameter : parameters_)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

Config ParameterSpace::default_config() const {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& parameter : parameters_)
    entries.emplace_back(parameter.name, parameter.values.front().text);
  return Config(std::move(entries));
}

int64_t ParameterSpace::size() const {
  int64_t points = 1;
  for (const auto& parameter : parameters_)
    if (!parameter.diagnostic()) points *= static_cast<int64_t>(parameter.values.size());
  return points;
}

void ParameterSpace::for_each(const std::function<void(const Config&)>& visit) const {
  std::vector<size_t> index(parameters_.size(), 0);
  Config config = default_config();
  while (true) {
    visit(config);
    size_t digit = parameters_.size();
    while (digit > 0) {
      const Parameter& parameter = parameters_[digit - 1];
      const size_t count = parameter.diagnostic() ? 1 : parameter.values.size();
      index[digit - 1] = (index[digit - 1] + 1) % count;
      config = config.with(parameter.name, parameter.values[index[digit - 1]].text);
      if (index[digit - 1] != 0) break;
      --digit;
    }
    if (digit == 0) return;
  }
}

void ParameterSpace::check(std::string_view name, std::string_view value) const {
  const Parameter* parameter = find(name);
  if (parameter == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : parameters_) names.push_back(known.name);
    throw UsageError(unknown_name("parameter", name, names));
  }
  if (!parameter->takes(value)) throw UsageError(unknown_value({parameter}, value));
}

Config ParameterSpace::assign(const Config& config, std::string_view name,
                              std::string_view value) const {
  check(name, value);
  return config.with(name, value);
}

Config ParameterSpace::parse(std::string_view text) const {
  Config config = default_config();
  std::vector<std::string_view> assigned;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      throw UsageError("'" + std::string(item) + "' is not of the form name=value");
    const std::string_view name = item.substr(0, equals);
    if (std::find(assigned.begin(), assigned.end(), name) != assigned.end())
      throw UsageError("parameter '" + std::string(name) + "' is assigned twice");
    assigned.push_back(name);
    config = assign(config, name, item.substr(equals + 1));
  }
  return config;
}

}  // namespace alsbench
