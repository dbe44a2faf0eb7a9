// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/suggestion.h"
#include "harness/files/regular_expression.h"

namespace alsbench::limits {
namespace {

void check_range(Range::Kind kind, const JsonField& json) {
  if (kind == Range::Kind::any) return;
  if (kind == Range::Kind::time) return static_cast<void>(json.time());
  if (kind == Range::Kind::duration) return static_cast<void>(json.duration());
  if (kind == Range::Kind::not_empty) {
    const Json& value = json.value();
    if (value.empty() || value == "")
      json.fail(json.is_written_by_people() ? "must not be empty" : "is empty");
    return;
  }
  const double value = json.number();
  const auto refuse = [&](const char* allowed) {
    json.fail(fmt::format("is {}; it must be {}", value, allowed));
  };
  if (kind == Range::Kind::from_0 && !(value >= 0)) refuse("at least 0");
  if (kind == Range::Kind::from_1 && !(value >= 1)) refuse("at least 1");
  if (kind == Range::Kind::above_0 && !(value > 0)) refuse("above 0");
  if (kind == Range::Kind::share && !(value >= 0 && value <= 1)) refuse("from 0 to 1");
}

bool is_of_text(const Json& schema) { return text_at(schema, "type") == "string"; }

void describe_range(Range::Kind kind, Json& schema) {
  switch (kind) {
    case Range::Kind::any:
      return;
    case Range::Kind::time:
    case Range::Kind::above_0:
      schema["exclusiveMinimum"] = 0;
      return;
    case Range::Kind::from_0:
    case Range::Kind::duration:
      schema["minimum"] = 0;
      return;
    case Range::Kind::from_1:
      schema["minimum"] = 1;
      return;
    case Range::Kind::not_empty:
      schema[is_of_text(schema) ? "minLength" : "minItems"] = 1;
      return;
    case Range::Kind::share:
      schema["minimum"] = 0;
      schema["maximum"] = 1;
      return;
  }
}

// A whole number without its point.
Json bound(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

template <class Check>
void check_texts(const JsonField& json, const Check& check) {
  if (!json.value().is_array()) return check(json);
  for (const JsonField& element : json.elements()) element.attempt([&] { check(element); });
}

// Changes the schema of every text in it.
template <class Change>
void change_texts(Json& schema, const Change& change) {
  if (is_of_text(schema)) change(schema);
  if (schema.contains("items")) change_texts(schema["items"], change);
  if (schema.contains("anyOf"))
    for (Json& form : schema["anyOf"]) change_texts(form, change);
}

}  // namespace

Limit range(Range::Kind kind) {
  return {[kind](const JsonField& json) { check_range(kind, json); },
          [kind](Json& schema) { describe_range(kind, schema); }};
}

Limit interval(double minimum, double maximum) {
  return {[=](const JsonField& json) {
            const double value = json.number();
            if (!(value >= minimum && value <= maximum))
              json.fail(fmt::format("is {}; it must be from {} to {}", json.value().dump(), minimum,
                                    maximum));
          },
          [=](Json& schema) {
            schema["minimum"] = bound(minimum);
            schema["maximum"] = bound(maximum);
          }};
}

Limit names(std::string kind, std::function<std::vector<std::string>()> known) {
  const auto check = [kind, known](const JsonField& json) {
    const std::vector<std::string> list = known();
    check_texts(json, [&](const JsonField& text) {
      if (std::find(list.begin(), list.end(), text.text()) == list.end())
        text.fail(unknown_name(kind, text.text(), list));
    });
  };
  return {check, [known](Json& schema) {
            change_texts(schema, [&](Json& text) {
              text.erase("type");
              text["enum"] = known();
            });
          }};
}

Limit pattern(const std::string& pattern, std::string remedy) {
  const auto check = [expression = RegularExpression(pattern),
                      remedy = std::move(remedy)](const JsonField& json) {
    check_texts(json, [&](const JsonField& text) {
      if (!expression.matches(text.text())) text.fail(fmt::format("'{}' {}", text.text(), remedy));
    });
  };
  return {check, [pattern](Json& schema) {
            change_texts(schema, [&](Json& text) { text["pattern"] = "^" + pattern + "$"; });
          }};
}

}  // namespace alsbench::limits
