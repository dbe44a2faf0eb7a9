// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/judge/foreign_input.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr const char* kHigher = "higher";
constexpr const char* kLower = "lower";

[[noreturn]] void refuse_path(const std::string& text, const std::string& why) {
  throw UsageError(fmt::format(
      "--value '{}': {}; write the JSON pointer and the unit, such as /latency/mean:ms or "
      "/throughput:MB/s:higher",
      printable(text), why));
}

// The word behind the last colon, without the blanks around it.
std::optional<std::string_view> last_word(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  text.remove_prefix(colon + 1);
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

void refuse_misspelt_direction(const std::string& text, const std::string& unit) {
  const std::string direction = nearest_name(unit, {kHigher, kLower});
  if (!direction.empty())
    refuse_path(text, fmt::format("'{}' is neither higher nor lower; did you mean '{}'? (A unit of "
                                  "that name has :lower or :higher behind it.)",
                                  printable(unit), direction));
}

// Costs of a number, or of each of an array. A time of 0 was too short to be measured.
std::vector<double> costs_of(const JsonField& place, const std::string& name,
                             const ValuePath& path) {
  std::vector<double> costs;
  const auto add = [&](const JsonField& json) {
    const double value = number_of(json, name);
    if (path.seconds > 0) {
      costs.push_back(value == 0 ? 0 : json.time(path.seconds));
      return;
    }
    if (!(value > 0)) json.fail(fmt::format("is {:g}; only values above 0 have a ratio", value));
    costs.push_back(path.quantity.cost_of(value));
  };
  if (!place.value().is_array()) {
    add(place);
    return costs;
  }
  for (const JsonField& element : place.elements()) add(element);
  if (costs.empty()) place.fail("is an empty array");
  return costs;
}

void add_case(std::string name, const JsonField& place, const ValuePath& path,
              std::vector<ComparisonCase>& cases) {
  std::vector<double> costs = costs_of(place, name, path);
  ComparisonCase& c = cases.emplace_back();
  c.name = std::move(name);
  c.quantity = path.quantity;
  const Launch launch = launch_of(std::move(costs));
  if (launch.seconds > 0)
    c.launches = {launch};
  else
    refuse_time(c, place.place() + " is 0");
}

}  // namespace

ValuePath value_path_of(const std::string& text) {
  ValuePath path;
  std::string_view rest = text;
  if (!rest.empty() && rest[0] != '/') refuse_path(text, "does not begin with /");
  const auto direction = last_word(rest);
  const bool directed = direction == kHigher || direction == kLower;
  path.quantity.more_is_better = direction == kHigher;
  if (directed) rest = rest.substr(0, rest.rfind(':'));
  const std::string unit(last_word(rest).value_or(""));
  if (unit.empty()) refuse_path(text, "has no unit");
  if (!directed) refuse_misspelt_direction(text, unit);
  path.pointer = rest.substr(0, rest.rfind(':'));
  path.seconds = path.quantity.more_is_better ? 0 : seconds_of_unit(unit).value_or(0);
  if (path.seconds == 0) path.quantity.unit = unit;
  try {
    Json::json_pointer{path.pointer};
  } catch (const nlohmann::json::exception&) {
    refuse_path(text, "is no JSON pointer: ~ is written ~0, and / in a name ~1");
  }
  return path;
}

void require_values(const Json& json, const std::string& source,
                    const std::vector<ValuePath>& values) {
  for (const ValuePath& path : values)
    if (!json.contains(Json::json_pointer(path.pointer)))
      throw UsageError(
          fmt::format("{}: has nothing at '{}', which --value names", source, path.pointer));
}

ComparisonInput values_input_of(const JsonField& json, const std::string& source,
                                const std::vector<ValuePath>& values) {
  ComparisonInput input;
  input.source = source;
  for (const ValuePath& path : values) {
    const JsonField place(json.value().at(Json::json_pointer(path.pointer)), path.pointer);
    const std::string name = path.pointer.substr(std::min<size_t>(1, path.pointer.size()));
    if (!place.value().is_object()) {
      add_case(name.empty() ? "value" : name, place, path, input.cases);
      continue;
    }
    for (const auto& [member, below] : place.members())
      add_case(name.empty() ? member : name + "/" + member, below, path, input.cases);
  }
  return input;
}

}  // namespace alsbench
