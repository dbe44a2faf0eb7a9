#include "variants/parameter_space.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "variants/error.h"

namespace alsbench {
namespace {

// The whole text as a number from `least` to `most`.
template <class T>
bool is_number(std::string_view text, T least, T most) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least &&
         value <= most;
}

constexpr int kMostWhole = 1000000;

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::string near = nearest_name(word, names);
  return (near.empty() ? "" : "; did you mean '" + near + "'?") + " (one of: " + list + ")";
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(2, word.size() / 2) + 1;
  for (const auto& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

bool Parameter::takes(std::string_view value) const {
  const bool allowed = whole ? is_number<int>(value, 1, kMostWhole)
                             : is_number<double>(value, 0, std::numeric_limits<double>::max());
  return (open && allowed) || std::any_of(values.begin(), values.end(),
                                          [&](const Value& known) { return known.text == value; });
}

std::string unknown_value(const std::vector<const Parameter*>& parameters, std::string_view value) {
  std::vector<std::string> values;
  bool open = false, whole = true;
  for (const Parameter* parameter : parameters) {
    open = open || parameter->open;
    whole = whole && parameter->whole;
    for (const Value& known : parameter->values)
      if (std::find(values.begin(), values.end(), known.text) == values.end())
        values.push_back(known.text);
  }
  const std::string what =
      "parameter '" + parameters.front()->name + "' has no value '" + std::string(value) + "'";
  if (!open) return what + suggestion(value, values);
  return what + (whole ? "; give a whole number from 1 to " + std::to_string(kMostWhole)
                       : "; give a number that is not negative");
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
    if (!parameter.diagnostic) points *= static_cast<int64_t>(parameter.values.size());
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
      const size_t count = parameter.diagnostic ? 1 : parameter.values.size();
      index[digit - 1] = (index[digit - 1] + 1) % count;
      config = config.with(parameter.name, parameter.values[index[digit - 1]].text);
      if (index[digit - 1] != 0) break;
      --digit;
    }
    if (digit == 0) return;
  }
}

Config ParameterSpace::assign(const Config& config, std::string_view name,
                              std::string_view value) const {
  const Parameter* parameter = find(name);
  if (parameter == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : parameters_) names.push_back(known.name);
    throw UsageError("unknown parameter '" + std::string(name) + "'" + suggestion(name, names));
  }
  if (!parameter->takes(value)) throw UsageError(unknown_value({parameter}, value));
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
