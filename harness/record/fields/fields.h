// SPDX-License-Identifier: Apache-2.0
// Fields<T>: the one declaration of a struct that is written as JSON. Beside the struct stands
//
//   void describe(Fields<DataRecord>& fields);
//
// which names each member once:
//
//   void describe(Fields<DataRecord>& fields) {
//     fields.record("data", "The ratings that a problem came to.");
//     fields("id", &DataRecord::id, "name of the data set");
//     fields("users", &DataRecord::users).range(Range::Kind::from_0);
//   }
//
// From it come to_json(value), read_as<DataRecord>(json), the JSON Schema, and what is generated
// of that: tables of the documentation and Python's dataclasses. words.h declares enums.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/record/fields/type.h"
#include "harness/record/fields/words.h"

namespace alsbench {

template <class T>
class Fields;

template <class T>
concept Described = requires(Fields<T>& fields) {
  describe(fields);
};
// A type with a form of its own, such as Config: `const Type& type_for(const Config*)`.
template <class T>
concept Formed = requires(const T* value) {
  type_for(value);
};

template <class T>
const Type& type_of();

template <Described T>
const RecordType& record_type() {
  return static_cast<const RecordType&>(type_of<T>());
}

// Throws UsageError naming the place of what is missing or of another type.
template <class T>
T read_as(const JsonField& json) {
  T value{};
  type_of<T>().read(json, &value);
  return value;
}

// Types of single values and of what holds others.
namespace types {

const Type& boolean();
const Type& number();    // of a double: null where it is not finite
const Type& number32();  // of a float, by its shortest decimal
const Type& integer();   // int64_t
const Type& integer32();
const Type& unsigned_integer();  // uint64_t
const Type& text();
const Type& path();
const Type& any();  // Json as it is

// A text that stands for a value of an enum, or of another type.
class WordType : public Type {
 public:
  using Load = std::string_view (*)(const void*);
  using Store = bool (*)(std::string_view, void*);  // false: no such word
  WordType(std::vector<std::string_view> words, Load load, Store store)
      : words_(std::move(words)), load_(load), store_(store) {}
  Json write(const void* value) const override { return load_(value); }
  void read(const JsonField& json, void* value) const override;
  Json schema(Definitions&) const override;

 private:
  std::vector<std::string_view> words_;  // empty: a schema does not list them
  Load load_;
  Store store_;
};

template <class T>
class OptionalType : public Type {
 public:
  Json write(const void* value) const override {
    const auto& optional = *static_cast<const std::optional<T>*>(value);
    return optional ? type_of<T>().write(&*optional) : Json(nullptr);
  }
  void read(const JsonField& json, void* value) const override {
    auto& optional = *static_cast<std::optional<T>*>(value);
    optional.reset();
    if (!json.is_null()) type_of<T>().read(json, &optional.emplace());
  }
  Json schema(Definitions& definitions) const override;
  bool takes_null() const override { return true; }
  bool takes_absence() const override { return true; }
};

Json list_schema(Json elements, std::optional<size_t> count = std::nullopt);
Json map_schema(Json values);
void check_count(const JsonField& json, size_t count);

template <class T>
Json OptionalType<T>::schema(Definitions& definitions) const {
  return nullable_schema(type_of<T>().schema(definitions));
}

template <class T>
class ListType : public Type {
 public:
  Json write(const void* value) const override {
    Json json = Json::array();
    for (const T& element : *static_cast<const std::vector<T>*>(value))
      json.push_back(type_of<T>().write(&element));
    return json;
  }
  void read(const JsonField& json, void* value) const override {
    auto& list = *static_cast<std::vector<T>*>(value);
    list.clear();
    for (const JsonField& element : json.elements()) list.push_back(read_as<T>(element));
  }
  Json schema(Definitions& definitions) const override {
    return list_schema(type_of<T>().schema(definitions));
  }
};

template <class T, size_t N>
class ArrayType : public Type {
 public:
  Json write(const void* value) const override {
    Json json = Json::array();
    for (const T& element : *static_cast<const std::array<T, N>*>(value))
      json.push_back(type_of<T>().write(&element));
    return json;
  }
  void read(const JsonField& json, void* value) const override {
    check_count(json, N);
    const std::vector<JsonField> elements = json.elements();
    for (size_t i = 0; i < N; ++i)
      type_of<T>().read(elements[i], &(*static_cast<std::array<T, N>*>(value))[i]);
  }
  Json schema(Definitions& definitions) const override {
    return list_schema(type_of<T>().schema(definitions), N);
  }
};

// An object with a member a key: of std::map, and of a vector of pairs, which keeps their order.
template <class Map>
class MapType : public Type {
  using T = std::remove_cvref_t<decltype(std::declval<Map&>().begin()->second)>;

 public:
  Json write(const void* value) const override {
    Json json = Json::object();
    for (const auto& [key, element] : *static_cast<const Map*>(value))
      json[key] = type_of<T>().write(&element);
    return json;
  }
  void read(const JsonField& json, void* value) const override {
    auto& map = *static_cast<Map*>(value);
    map.clear();
    for (const auto& [key, element] : json.members())
      map.insert(map.end(), {key, read_as<T>(element)});
  }
  Json schema(Definitions& definitions) const override {
    return map_schema(type_of<T>().schema(definitions));
  }
};

// A type whose JSON two functions make and read, and a third describes.
template <class T>
class FormedType : public Type {
 public:
  using Write = Json (*)(const T&);
  using Read = T (*)(const JsonField&);
  using Describe = Json (*)(Definitions&);
  FormedType(Write writer, Read reader, Describe describer = any_object)
      : write_(writer), read_(reader), describe_(describer) {}
  Json write(const void* value) const override { return write_(*static_cast<const T*>(value)); }
  void read(const JsonField& json, void* value) const override {
    *static_cast<T*>(value) = read_(json);
  }
  Json schema(Definitions& definitions) const override { return describe_(definitions); }

 private:
  static Json any_object(Definitions&) { return {{"type", "object"}}; }
  Write write_;
  Read read_;
  Describe describe_;
};

template <class T>
struct Holder {
  static constexpr bool known = false;
};
template <class T>
struct Holder<std::optional<T>> {
  static constexpr bool known = true;
  using type = OptionalType<T>;
};
template <class T>
struct Holder<std::vector<T>> {
  static constexpr bool known = true;
  using type = ListType<T>;
};
template <class T>
struct Holder<std::vector<std::pair<std::string, T>>> {
  static constexpr bool known = true;
  using type = MapType<std::vector<std::pair<std::string, T>>>;
};
template <class T>
struct Holder<std::map<std::string, T>> {
  static constexpr bool known = true;
  using type = MapType<std::map<std::string, T>>;
};
template <class T, size_t N>
struct Holder<std::array<T, N>> {
  static constexpr bool known = true;
  using type = ArrayType<T, N>;
};

template <Worded E>
const Type& word() {
  static const WordType type = [] {
    std::vector<std::string_view> words;
    for (const Word<E>& word : words_of(E{})) words.push_back(word.name);
    return WordType(
        std::move(words), [](const void* value) { return name_of(*static_cast<const E*>(value)); },
        [](std::string_view name, void* value) {
          const std::optional<E> found = named<E>(name);
          if (found) *static_cast<E*>(value) = *found;
          return found.has_value();
        });
  }();
  return type;
}

template <class T>
bool is_empty(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return !std::isfinite(value);
  else if constexpr (requires { value.empty(); })
    return value.empty();
  else if constexpr (requires { value.has_value(); })
    return !value.has_value();
  else
    return false;
}
template <class T>
void set_empty(T& value) {
  if constexpr (std::is_floating_point_v<T>)
    value = std::numeric_limits<T>::quiet_NaN();
  else if constexpr (requires { value.clear(); })
    value.clear();
}
template <class T>
bool is_default(const T& value, const T& usual) {
  if constexpr (
      requires { value.empty(); } || requires { value.has_value(); })
    return types::is_empty(value);  // not of std::filesystem, which a path would find
  else if constexpr (requires { value == usual; })
    return value == usual;
  else
    return false;
}

}  // namespace types

template <class T>
concept Recorded = Described<T> || Formed<T> || types::Holder<T>::known;

template <Recorded T>
Json to_json(const T& value) {
  return type_of<T>().write(&value);
}

// Sets what a declaration says of a field beside its name.
class FieldOptions {
 public:
  FieldOptions(RecordType& record, size_t index) : record_(&record), index_(index) {}
  FieldOptions& since(std::string version) {
    return set([&](RecordField& f) { f.since = version; });
  }
  FieldOptions& range(Range::Kind kind) {
    return set([&](RecordField& f) { f.range = {kind}; });
  }
  // Left out where it has its default value.
  FieldOptions& omitted() {
    return set([](RecordField& f) { f.omitted = true; });
  }
  // Null in place of NaN or an empty text.
  FieldOptions& nullable() {
    return set([](RecordField& f) { f.nullable = true; });
  }
  // Written and read by another type: types::word of a name that is a plain text in C++.
  FieldOptions& as(const Type& type) {
    return set([&](RecordField& f) { f.type = &type; });
  }

 private:
  template <class Set>
  FieldOptions& set(const Set& change) {
    change(record_->fields[index_]);
    return *this;
  }
  RecordType* record_;
  size_t index_;
};

inline Json left_out() { return Json::value_t::discarded; }

// A member that no C++ member holds, or not in this form.
struct CustomField {
  std::function<Json(const void*)> write;
  std::function<void(const JsonField&, void*)> read;
  std::function<Json(Definitions&)> schema;
};
std::shared_ptr<const Type> custom_type(CustomField field);
// The same text always: {"kind": "run"}. Reading refuses another.
std::shared_ptr<const Type> constant_type(std::string value);

template <class T>
class Fields {
 public:
  explicit Fields(RecordType& record) : record_(&record) {}

  // Name in "$defs" and of Python's class, and what the record is.
  void record(std::string name, std::string doc) {
    record_->name = std::move(name);
    record_->doc = std::move(doc);
  }
  template <class Owner, class M>
  FieldOptions operator()(std::string name, M Owner::*member, std::string doc = "") {
    const M* at = &(usual().*member);
    RecordField field{.name = std::move(name), .doc = std::move(doc)};
    field.offset = static_cast<size_t>(reinterpret_cast<const char*>(at) -
                                       reinterpret_cast<const char*>(&usual()));
    field.type = &type_of<M>();
    field.is_default = [at](const void* value) {
      return types::is_default(*static_cast<const M*>(value), *at);
    };
    field.is_empty = [](const void* value) {
      return types::is_empty(*static_cast<const M*>(value));
    };
    field.set_empty = [](void* value) { types::set_empty(*static_cast<M*>(value)); };
    return add(std::move(field));
  }
  // The members of another record, among those of this one.
  template <class Owner, class M>
  void inlined(M Owner::*member) {
    (*this)("", member);
    record_->fields.back().inlined = true;
  }
  // An object of some of this struct's own members: {"seconds": {"total": ..., "wall": ...}}.
  template <class Describe>
  FieldOptions group(std::string name, const Describe& describe_group, std::string doc = "") {
    const auto group = std::make_shared<RecordType>();
    Fields<T> fields(*group);
    describe_group(fields);
    return add_own(std::move(name), group, std::move(doc));
  }
  FieldOptions constant(std::string name, std::string value) {
    return add_own(std::move(name), constant_type(std::move(value)), "");
  }
  // Write: Json(const T&); of an `omitted` one, left_out() where it is. Read: void(const
  // JsonField&, T&).
  template <class Write, class Read>
  FieldOptions custom(std::string name, Write write, Read read, const Json& schema,
                      std::string doc = "") {
    const FieldOptions options = add_own(
        std::move(name),
        custom_type(
            {[write](const void* value) { return Json(write(*static_cast<const T*>(value))); },
             [read](const JsonField& json, void* value) { read(json, *static_cast<T*>(value)); },
             [schema](Definitions&) { return schema; }}),
        std::move(doc));
    record_->fields.back().is_default = [write](const void* value) {
      return Json(write(*static_cast<const T*>(value))).is_discarded();
    };
    return options;
  }
  // Members whose names only the data tells, at this place among the others. Write: void(const T&,
  // Json&). Read: void(const JsonField&, T&), of the whole object.
  template <class Write, class Read>
  void others(Write write, Read read) {
    RecordField field;
    field.write_others = [write](const void* value, Json& json) {
      write(*static_cast<const T*>(value), json);
    };
    field.read_others = [read](const JsonField& json, void* value) {
      read(json, *static_cast<T*>(value));
    };
    add(std::move(field));
  }
  // Written for readers, made of other members: it is not read.
  template <class Write>
  FieldOptions derived(std::string name, Write write, const Json& schema, std::string doc = "") {
    return custom(
        std::move(name), write, [](const JsonField&, T&) {}, schema, std::move(doc));
  }
  // The members that say which document it is: "$schema", "schema_version" and "kind". Whoever
  // reads one checks them first (schema_version.h).
  void document(const std::string& name, const std::string& kind, const std::string& version) {
    const auto always = [](const std::string& text) {
      return [text](const T&) { return Json(text); };
    };
    derived("$schema", always("../schema/" + name + ".schema.json"), {{"type", "string"}});
    derived("schema_version", always(version),
            {{"type", "string"},
             {"pattern", "^" + version.substr(0, version.find('.')) + "\\.[0-9]+\\.[0-9]+$"}});
    derived("kind", always(kind), {{"const", kind}});
  }
  // After all fields were read: void(const JsonField&, T&), which throws what one alone cannot
  // tell.
  template <class Check>
  void check(Check check) {
    record_->check = [check](const JsonField& json, void* value) {
      check(json, *static_cast<T*>(value));
    };
  }
  // Members that no field names are kept in `unknown`, an object, and written again.
  void keep_unknown(Json T::*unknown) {
    record_->unknown = [unknown](void* value) { return &(static_cast<T*>(value)->*unknown); };
  }

 private:
  // What members are compared with where a field is left out by default. On the heap: g++ 12 takes
  // members of a static aggregate for uninitialized.
  static const T& usual() {
    static const auto value = std::make_unique<const T>();
    return *value;
  }
  // A field of the whole struct, with a type of its own.
  FieldOptions add_own(std::string name, std::shared_ptr<const Type> type, std::string doc) {
    RecordField field{.name = std::move(name), .doc = std::move(doc)};
    field.type = type.get();
    field.own = std::move(type);
    return add(std::move(field));
  }
  FieldOptions add(RecordField field) {
    record_->fields.push_back(std::move(field));
    return {*record_, record_->fields.size() - 1};
  }
  RecordType* record_;
};

namespace types {

template <Described T>
const Type& record() {
  static const auto type = [] {
    auto built = std::make_unique<RecordType>();
    Fields<T> fields(*built);
    describe(fields);
    return built;
  }();
  return *type;
}

}  // namespace types

template <class T>
const Type& type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return types::boolean();
  } else if constexpr (std::is_same_v<T, double>) {
    return types::number();
  } else if constexpr (std::is_same_v<T, float>) {
    return types::number32();
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return types::integer();
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return types::integer32();
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return types::unsigned_integer();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return types::text();
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return types::path();
  } else if constexpr (std::is_same_v<T, Json>) {
    return types::any();
  } else if constexpr (types::Holder<T>::known) {
    static const typename types::Holder<T>::type type;
    return type;
  } else if constexpr (Worded<T>) {
    return types::word<T>();
  } else if constexpr (Formed<T>) {
    return type_for(static_cast<const T*>(nullptr));
  } else {
    static_assert(Described<T>, "declare the struct's fields: void describe(Fields<T>&)");
    return types::record<T>();
  }
}

namespace types {

// A std::variant of records, told apart by their names in the member `key`: {"op": "load", ...}.
template <class Variant>
class OneOfType : public Type {
 public:
  explicit OneOfType(std::string key) : key_(std::move(key)) { add(Indices{}); }
  Json write(const void* value) const override {
    const auto& variant = *static_cast<const Variant*>(value);
    const RecordType& record = *records_[variant.index()];
    Json json{{key_, record.name}};
    std::visit([&](const auto& one) { record.write_into(json, &one); }, variant);
    return json;
  }
  void read(const JsonField& json, void* value) const override {
    const JsonField kind = json.at(key_);
    for (size_t i = 0; i < records_.size(); ++i)
      if (records_[i]->name == kind.text())
        return records_[i]->read(json, make_[i](*static_cast<Variant*>(value)));
    kind.fail("has the unknown value '" + kind.text() + "'");
  }
  Json schema(Definitions& definitions) const override {
    Json all = Json::array();
    for (const RecordType* record : records_) all.push_back(record->schema(definitions));
    return {{"oneOf", std::move(all)}};
  }

 private:
  using Indices = std::make_index_sequence<std::variant_size_v<Variant>>;
  template <size_t... I>
  void add(std::index_sequence<I...>) {
    (records_.push_back(&record_type<std::variant_alternative_t<I, Variant>>()), ...);
    (make_.push_back([](Variant& variant) -> void* { return &variant.template emplace<I>(); }),
     ...);
  }

  std::string key_;
  std::vector<const RecordType*> records_;
  std::vector<void* (*)(Variant&)> make_;
};

}  // namespace types

}  // namespace alsbench
