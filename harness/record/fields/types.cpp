// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "harness/record/fields/fields.h"

namespace alsbench {
namespace types {
namespace {

// A leaf by its C++ type, the word of JSON Schema, and two functions.
template <class T>
class Leaf : public Type {
 public:
  using Write = Json (*)(const T&);
  using Read = T (*)(const JsonField&);
  Leaf(const char* name, Write writer, Read reader) : name_(name), write_(writer), read_(reader) {}
  Json write(const void* value) const override { return write_(*static_cast<const T*>(value)); }
  void read(const JsonField& json, void* value) const override {
    *static_cast<T*>(value) = read_(json);
  }
  Json schema(Definitions&) const override {
    Json schema = Json::object();
    if (*name_ != '\0') schema["type"] = name_;
    return schema;
  }

 private:
  const char* name_;
  Write write_;
  Read read_;
};

template <class T>
Json plain(const T& value) {
  return value;
}

class Custom : public Type {
 public:
  explicit Custom(CustomField field) : field_(std::move(field)) {}
  Json write(const void* value) const override { return field_.write(value); }
  void read(const JsonField& json, void* value) const override { field_.read(json, value); }
  Json schema(Definitions& definitions) const override { return field_.schema(definitions); }
  bool takes_null() const override { return true; }

 private:
  CustomField field_;
};

}  // namespace

const Type& boolean() {
  static const Leaf<bool> type("boolean", plain, [](const JsonField& j) { return j.boolean(); });
  return type;
}

const Type& number() {
  static const Leaf<double> type(
      "number", [](const double& value) { return json_of(value); },
      [](const JsonField& j) { return j.number(); });
  return type;
}

const Type& number32() {
  static const Leaf<float> type(
      "number", [](const float& value) { return Json(decimal_of(value)); },
      [](const JsonField& j) { return j.number32(); });
  return type;
}

const Type& integer() {
  static const Leaf<int64_t> type("integer", plain, [](const JsonField& j) { return j.integer(); });
  return type;
}

const Type& integer32() {
  static const Leaf<int32_t> type("integer", plain,
                                  [](const JsonField& j) { return j.integer32(); });
  return type;
}

const Type& unsigned_integer() {
  static const Leaf<uint64_t> type("integer", plain,
                                   [](const JsonField& j) { return j.unsigned_integer(); });
  return type;
}

const Type& text() {
  static const Leaf<std::string> type("string", plain, [](const JsonField& j) { return j.text(); });
  return type;
}

const Type& path() {
  using Path = std::filesystem::path;
  static const Leaf<Path> type(
      "string", [](const Path& value) { return Json(value.string()); },
      [](const JsonField& j) { return Path(j.text()); });
  return type;
}

const Type& any() {
  static const Leaf<Json> type("", plain, [](const JsonField& j) { return j.value(); });
  return type;
}

void EnumType::read(const JsonField& json, void* value) const {
  if (store_(json.text(), value)) return;
  const std::vector<std::string> known(words_.begin(), words_.end());
  if (json.is_written_by_people() && !known.empty())
    json.fail(unknown_name("value", json.text(), known));
  json.fail("has the unknown value '" + json.text() + "'");
}

Json EnumType::schema(Definitions&) const {
  if (words_.empty()) return {{"type", "string"}};
  return {{"enum", words_}};
}

Json list_schema(Json elements, std::optional<size_t> count) {
  Json schema{{"type", "array"}, {"items", std::move(elements)}};
  if (count) {
    schema["minItems"] = *count;
    schema["maxItems"] = *count;
  }
  return schema;
}

Json SequenceType::write(const void* value) const {
  Json json = Json::array();
  for (size_t i = 0; i < size(value); ++i) json.push_back(element().write(at(value, i)));
  return json;
}

void SequenceType::read(const JsonField& json, void* value) const {
  clear(value);
  for (const JsonField& one : json.elements()) {
    void* const appended = append(value);
    one.attempt([&] { element().read(one, appended); });
  }
}

Json SequenceType::schema(Definitions& definitions) const {
  return list_schema(element().schema(definitions));
}

Json map_schema(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

void check_count(const JsonField& json, size_t count) {
  const size_t found = json.elements().size();
  if (found != count) json.fail(fmt::format("has {} values, not {}", found, count));
}

}  // namespace types

std::shared_ptr<const Type> custom_type(CustomField field) {
  return std::make_shared<types::Custom>(std::move(field));
}

std::function<Json(Definitions&)> fixed_schema(Json schema) {
  return [schema = std::move(schema)](Definitions&) { return schema; };
}

std::shared_ptr<const Type> constant_type(const Json& value, Json schema) {
  return custom_type({[value](const void*) { return value; }, [](const JsonField&, void*) {},
                      fixed_schema(std::move(schema))});
}

}  // namespace alsbench
