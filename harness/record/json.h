// SPDX-License-Identifier: Apache-2.0
// JSON at the edge: the one alias, how values that may be unknown are written, and how fields are
// read strictly. Only structs cross boxes; their codecs stand next to them.
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

// An error at one place of a document: "/cases/3/cold/samples: is no array".
class FieldError : public UsageError {
 public:
  FieldError(std::string place, const std::string& problem);
  const std::string& place() const { return place_; }

 private:
  std::string place_;
};

// All that is wrong with a document that people write, so they can mend it in one go.
class DocumentErrors {
 public:
  void add(const FieldError& error);  // once, however often it is found
  // Whether something is wrong at the place or below it.
  bool concern(std::string_view place) const;
  std::vector<std::string> texts() const;
  // Throws UsageError that lists them, one a line, where there are any.
  void throw_of(std::string_view source) const;

 private:
  std::vector<FieldError> errors_;
};

// A value of a document on its way into a struct. What is not as asked throws FieldError, which
// names its place, or becomes one of `errors`. The document and `errors` must outlive it.
class JsonField {
 public:
  explicit JsonField(const Json& value, std::string place = "", DocumentErrors* errors = nullptr)
      : value_(&value), place_(std::move(place)), errors_(errors) {}

  const Json& value() const { return *value_; }
  const std::string& place() const { return place_; }  // a JSON pointer
  // Another value at the same place; it must outlive the result.
  JsonField with(const Json& value) const { return JsonField(value, place_, errors_); }
  bool is_null() const { return value_->is_null(); }
  // Whether people write the document: then nothing in it may be unknown, and errors are collected.
  bool is_written_by_people() const { return errors_ != nullptr; }
  // Whether nothing was found wrong here or below.
  bool is_sound() const { return errors_ == nullptr || !errors_->concern(place_); }
  // Runs `action`. Of a document that people write, what it throws becomes an error of this place,
  // or of the deeper one that it names.
  template <class Action>
  void attempt(const Action& action) const {
    if (errors_ == nullptr) return action();
    try {
      action();
    } catch (const FieldError& error) {
      errors_->add(error);
    } catch (const std::exception& error) {
      errors_->add(FieldError(place_, error.what()));
    }
  }
  // fail(), after which the reading of a document that people write goes on.
  void report(const std::string& problem) const {
    attempt([&] { fail(problem); });
  }

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
  // A text that `named` knows: named<Outcome>, backend_named.
  template <class Named>
  auto word(const Named& named) const {
    const auto value = named(text());
    if (!value) fail("has the unknown value '" + text() + "'");
    return *value;
  }

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  JsonField below(const Json& value, std::string_view key) const;
  // "is no text"; of a document that people write with the value: "is no text: 7".
  [[noreturn]] void fail_type(std::string_view problem) const;

  const Json* value_;
  std::string place_;
  DocumentErrors* errors_;
};

std::optional<std::string> optional_text(const std::optional<JsonField>& field);
// A struct of a whole document, by its codec. An error throws UsageError that names `source` too:
// "result.json: /cases/3/cold/samples: is no array".
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

// An array's elements, by their codec.
template <class Read>
auto list_of(const JsonField& field, const Read& read) {
  std::vector<decltype(read(field))> list;
  for (const JsonField& element : field.elements()) list.push_back(read(element));
  return list;
}
// Fields of `document` that `known` lacks, at any depth of objects: what a reader of the known ones
// would lose. `known.update(unknown_fields(...), true)` has them all again.
Json unknown_fields(const Json& document, const Json& known);

}  // namespace alsbench
