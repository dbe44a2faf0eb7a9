// SPDX-License-Identifier: Apache-2.0
#include "harness/record/json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr double kCentury = 3.2e9;  // seconds

}  // namespace

Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double decimal_of(float value) { return std::stod(fmt::format("{}", value)); }

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string text_at(const Json& json, std::string_view key) {
  if (!json.is_object()) return "";
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Json unknown_fields(const Json& document, const Json& known) {
  Json unknown = Json::object();
  for (const auto& [key, value] : document.items()) {
    const auto found = known.find(key);
    if (found == known.end()) {
      unknown[key] = value;
    } else if (value.is_object() && found->is_object()) {
      Json deeper = unknown_fields(value, *found);
      if (!deeper.empty()) unknown[key] = std::move(deeper);
    }
  }
  return unknown;
}

void JsonField::fail(const std::string& problem) const {
  throw UsageError(visible(fmt::format("{}: {}", place_.empty() ? "/" : place_, problem)));
}

JsonField JsonField::at(std::string_view key) const {
  if (!value_->is_object()) fail("is no object");
  const auto found = value_->find(key);
  if (found == value_->end()) fail(fmt::format("lacks '{}'", key));
  return JsonField(*found, fmt::format("{}/{}", place_, key));
}

std::optional<JsonField> JsonField::member(std::string_view key) const {
  if (!value_->is_object()) fail("is no object");
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonField(*found, fmt::format("{}/{}", place_, key));
}

std::optional<JsonField> JsonField::find(std::string_view key) const {
  const std::optional<JsonField> found = member(key);
  return found && !found->is_null() ? found : std::nullopt;
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_->is_array()) fail("is no array");
  std::vector<JsonField> list;
  list.reserve(value_->size());
  for (size_t i = 0; i < value_->size(); ++i)
    list.emplace_back((*value_)[i], fmt::format("{}/{}", place_, i));
  return list;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) fail("is no object");
  std::vector<std::pair<std::string, JsonField>> list;
  for (const auto& [key, value] : value_->items())
    list.emplace_back(key, JsonField(value, fmt::format("{}/{}", place_, key)));
  return list;
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail("is no text");
  return value_->get<std::string>();
}

std::string JsonField::text_or_empty() const { return is_null() ? "" : text(); }

double JsonField::number() const {
  if (!value_->is_number()) fail("is no number");
  return value_->get<double>();
}

float JsonField::number32() const {
  const double value = number();
  if (std::abs(value) > std::numeric_limits<float>::max()) fail("is too large");
  return static_cast<float>(value);
}

double JsonField::number_or_nan() const {
  return is_null() ? std::numeric_limits<double>::quiet_NaN() : number();
}

double JsonField::time(double unit_seconds) const { return as_time(number() * unit_seconds); }

double JsonField::as_time(double seconds) const {
  if (!(seconds > 0 && seconds < kCentury))
    fail(fmt::format("is {}; a measured time is above 0 and below a century: measure again",
                     seconds));
  return seconds;
}

double JsonField::duration() const {
  const double value = number();
  if (!(value >= 0 && value < kCentury))
    fail(
        fmt::format("is {}; a duration is not negative and below a century: measure again", value));
  return value;
}

int64_t JsonField::integer() const {
  if (!value_->is_number_integer()) fail("is no whole number");
  const auto value = value_->get<int64_t>();
  if (value_->is_number_unsigned() && value < 0) fail("is too large");
  return value;
}

int JsonField::integer32() const {
  const int64_t value = integer();
  if (value != static_cast<int>(value)) fail("is too large");
  return static_cast<int>(value);
}

uint64_t JsonField::unsigned_integer() const {
  if (!value_->is_number_unsigned()) fail("is no whole number from 0");
  return value_->get<uint64_t>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) fail("is neither true nor false");
  return value_->get<bool>();
}

std::vector<std::string> JsonField::texts() const {
  std::vector<std::string> list;
  for (const JsonField& element : elements()) list.push_back(element.text());
  return list;
}

std::vector<double> JsonField::numbers() const {
  std::vector<double> list;
  for (const JsonField& element : elements()) list.push_back(element.number());
  return list;
}

std::optional<std::string> optional_text(const std::optional<JsonField>& field) {
  return optional_of(field, [](const JsonField& value) { return value.text(); });
}

std::optional<double> optional_number(const std::optional<JsonField>& field) {
  return optional_of(field, [](const JsonField& value) { return value.number(); });
}

std::optional<int64_t> optional_integer(const std::optional<JsonField>& field) {
  return optional_of(field, [](const JsonField& value) { return value.integer(); });
}

}  // namespace alsbench
