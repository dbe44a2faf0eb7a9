// SPDX-License-Identifier: Apache-2.0
// JSON at the edge: the one alias, how values that may be unknown are written, and how fields are
// read strictly. What crosses a box is a struct; its codec stands beside it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace alsbench {

using Json = nlohmann::ordered_json;

Json json_of(double value);  // null where it is not finite
// The shortest decimal that reads back as `value`: 0.1 of 0.1f, which widened is 0.10000000149.
double decimal_of(float value);
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
template <>
inline Json json_of(const std::optional<double>& value) {
  return value ? json_of(*value) : Json(nullptr);
}
// Indented, with what is no UTF-8, such as the name of a file, replaced.
std::string text_of(const Json& json);
Json text_or_null(const std::string& text);  // null where it is empty
// A text of an object; "" where there is none.
std::string text_at(const Json& json, std::string_view key);

// A value of a document on its way into a struct. What is not as asked throws UsageError that names
// its place: "/cases/3/cold/samples: is no array". The document must outlive it.
class JsonField {
 public:
  explicit JsonField(const Json& value, std::string place = "")
      : value_(&value), place_(std::move(place)) {}

  const Json& value() const { return *value_; }
  bool is_null() const { return value_->is_null(); }

  JsonField at(std::string_view key) const;                        // required
  std::optional<JsonField> find(std::string_view key) const;       // nothing where absent or null
  std::optional<JsonField> member(std::string_view key) const;     // nothing where absent alone
  std::vector<JsonField> elements() const;                         // of an array
  std::vector<std::pair<std::string, JsonField>> members() const;  // of an object, in its order

  std::string text() const;
  std::string text_or_empty() const;  // of a text or null
  double number() const;
  float number32() const;
  double number_or_nan() const;  // of a number or null
  // Seconds that something took, of a number in a unit: above 0, and less than a century.
  double time(double unit_seconds = 1) const;
  double as_time(double seconds) const;  // the same of what was made of the field
  double duration() const;               // seconds of what may have taken none
  int64_t integer() const;
  int integer32() const;
  uint64_t unsigned_integer() const;
  bool boolean() const;
  std::vector<std::string> texts() const;  // of an array
  std::vector<double> numbers() const;     // of an array
  // A text that `named` knows: named<Outcome>, backend_named.
  template <class Named>
  auto word(const Named& named) const {
    const auto value = named(text());
    if (!value) fail("has the unknown value '" + text() + "'");
    return *value;
  }

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  const Json* value_;
  std::string place_;
};

std::optional<std::string> optional_text(const std::optional<JsonField>& field);
std::optional<double> optional_number(const std::optional<JsonField>& field);
std::optional<int64_t> optional_integer(const std::optional<JsonField>& field);
// A struct of a whole document, by its codec. What is wrong with it throws UsageError that names
// `source` too: "result.json: /cases/3/cold/samples: is no array".
template <class Read>
auto read_document(const Json& document, const std::string& source, const Read& read) {
  try {
    return read(JsonField(document));
  } catch (const UsageError& error) {
    throw UsageError(source + ": " + error.what());
  }
}
// Of a document that a program wrote: "result.json: is damaged: /cases/3/cold/samples: is no
// array".
template <class Read>
auto read_written(const Json& document, const std::string& source, const Read& read) {
  return read_document(document, source + ": is damaged", read);
}

// A struct of a field that may be absent or null, by its codec.
template <class Read>
auto optional_of(const std::optional<JsonField>& field, const Read& read) {
  return field ? std::optional(read(*field)) : std::nullopt;
}
// An array's elements, by their codec.
template <class Read>
auto list_of(const JsonField& field, const Read& read) {
  std::vector<decltype(read(field))> list;
  for (const JsonField& element : field.elements()) list.push_back(read(element));
  return list;
}
// An array of structs that have a to_json.
template <class T>
Json json_list(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& element : list) json.push_back(to_json(element));
  return json;
}
// Fields of `document` that `known` lacks, at any depth of objects: what a reader of the known ones
// would lose. `known.update(unknown_fields(...), true)` has them all again.
Json unknown_fields(const Json& document, const Json& known);
// A struct that has a to_json, or null.
template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? to_json(*value) : Json(nullptr);
}

}  // namespace alsbench
