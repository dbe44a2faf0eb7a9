// SPDX-License-Identifier: Apache-2.0
#include "harness/record/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

FieldError::FieldError(std::string place, const std::string& problem)
    : UsageError(printable(fmt::format("{}: {}", place.empty() ? "/" : visible(place), problem))),
      place_(std::move(place)) {}

void DocumentErrors::add(const FieldError& error) {
  const std::string_view text = error.what();
  const auto same = [&](const FieldError& other) { return other.what() == text; };
  if (std::none_of(errors_.begin(), errors_.end(), same)) errors_.push_back(error);
}

bool DocumentErrors::concern(std::string_view place) const {
  return std::any_of(errors_.begin(), errors_.end(), [&](const FieldError& error) {
    const std::string_view other = error.place();
    return other.starts_with(place) && (other.size() == place.size() || other[place.size()] == '/');
  });
}

std::vector<std::string> DocumentErrors::texts() const {
  std::vector<std::string> texts;
  for (const FieldError& error : errors_) texts.emplace_back(error.what());
  return texts;
}

void DocumentErrors::throw_of(std::string_view source) const {
  if (errors_.empty()) return;
  throw UsageError(fmt::format("{} has {} error{}:\n  {}", source, errors_.size(),
                               errors_.size() == 1 ? "" : "s", fmt::join(texts(), "\n  ")));
}

void JsonField::fail(const std::string& problem) const {
  throw FieldError(place_, visible(problem));
}

void JsonField::fail_type(std::string_view problem) const {
  if (!is_written_by_people() || value_->is_structured()) fail(std::string(problem));
  constexpr size_t kLongest = 60;
  std::string text = value_->dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  fail(fmt::format("{}: {}", problem, text));
}

JsonField JsonField::below(const Json& value, std::string_view key) const {
  return JsonField(value, fmt::format("{}/{}", place_, key), errors_);
}

JsonField JsonField::at(std::string_view key) const {
  if (!value_->is_object()) fail_type("is no object");
  const auto found = value_->find(key);
  if (found == value_->end()) fail(fmt::format("lacks '{}'", key));
  return below(*found, key);
}

std::optional<JsonField> JsonField::member(std::string_view key) const {
  if (!value_->is_object()) fail_type("is no object");
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return below(*found, key);
}

std::optional<JsonField> JsonField::find(std::string_view key) const {
  const std::optional<JsonField> found = member(key);
  return found && !found->is_null() ? found : std::nullopt;
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_->is_array()) fail_type("is no array");
  std::vector<JsonField> list;
  list.reserve(value_->size());
  for (size_t i = 0; i < value_->size(); ++i)
    list.push_back(below((*value_)[i], std::to_string(i)));
  return list;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) fail_type("is no object");
  std::vector<std::pair<std::string, JsonField>> list;
  for (const auto& [key, value] : value_->items()) list.emplace_back(key, below(value, key));
  return list;
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail_type("is no text");
  return value_->get<std::string>();
}

std::string JsonField::text_or_empty() const { return is_null() ? "" : text(); }

double JsonField::number() const {
  if (!value_->is_number()) fail_type("is no number");
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
    fail(fmt::format("is {} s; a measured time is above 0 and below a century: measure again",
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
  if (!value_->is_number_integer()) fail_type("is no whole number");
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
  if (!value_->is_number_unsigned()) fail_type("is no whole number from 0");
  return value_->get<uint64_t>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) fail_type("is neither true nor false");
  return value_->get<bool>();
}

std::vector<std::string> JsonField::texts() const {
  std::vector<std::string> list;
  for (const JsonField& element : elements()) list.push_back(element.text());
  return list;
}

std::optional<std::string> optional_text(const std::optional<JsonField>& field) {
  return field ? std::optional(field->text()) : std::nullopt;
}

}  // namespace alsbench
