// SPDX-License-Identifier: Apache-2.0
// The types of single values and of containers: numbers, texts, names of an enum, lists, maps,
// optional values, variants of records. fields.h adds records.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/suggestion.h"
#include "harness/record/fields/enum_names.h"
#include "harness/record/fields/type.h"

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
class EnumType : public Type {
 public:
  using Load = std::string_view (*)(const void*);
  using Store = bool (*)(std::string_view, void*);  // false: no such word
  EnumType(std::vector<std::string_view> words, Load load, Store store)
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

// Reads an element. Where errors are collected, the list goes on after a wrong element.
template <class T>
T read_element(const JsonField& json) {
  T value{};
  json.attempt([&] { type_of<T>().read(json, &value); });
  return value;
}

// A list of elements, which its subclass alone knows. Where errors are collected, reading goes on
// after a wrong element.
class SequenceType : public Type {
 public:
  Json write(const void* value) const override;
  void read(const JsonField& json, void* value) const override;
  Json schema(Definitions& definitions) const override;

 private:
  virtual const Type& element() const = 0;
  virtual size_t size(const void* list) const = 0;
  virtual const void* at(const void* list, size_t index) const = 0;
  virtual void clear(void* list) const = 0;
  virtual void* append(void* list) const = 0;
};

template <class T>
class ListType : public SequenceType {
  using List = std::vector<T>;
  const Type& element() const override { return type_of<T>(); }
  size_t size(const void* list) const override { return static_cast<const List*>(list)->size(); }
  const void* at(const void* list, size_t index) const override {
    return static_cast<const List*>(list)->data() + index;
  }
  void clear(void* list) const override { static_cast<List*>(list)->clear(); }
  void* append(void* list) const override { return &static_cast<List*>(list)->emplace_back(); }
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
      (*static_cast<std::array<T, N>*>(value))[i] = read_element<T>(elements[i]);
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
      map.insert(map.end(), {key, read_element<T>(element)});
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

template <NamedEnum E>
const Type& word() {
  static const EnumType type = [] {
    std::vector<std::string_view> words;
    for (const EnumName<E>& word : kNamesOf<E>) words.push_back(word.name);
    return EnumType(
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

// There is one a C++ type of members, in place of one a field.
template <class M>
FieldMember member_of_type(size_t offset, const M& usual) {
  return {.type = &type_of<M>(),
          .offset = offset,
          .usual = &usual,
          .is_default =
              [](const void* member, const void* other) {
                return types::is_default(*static_cast<const M*>(member),
                                         *static_cast<const M*>(other));
              },
          .is_empty =
              [](const void* member) { return types::is_empty(*static_cast<const M*>(member)); },
          .set_empty = [](void* member) { types::set_empty(*static_cast<M*>(member)); }};
}

// The record that a value is, has or points to: its type, and its address or null.
template <class M>
const M* record_in(const M* value) {
  return value;
}
template <class M>
const M* record_in(const std::optional<M>& value) {
  return value ? &*value : nullptr;
}
template <class M>
requires std::is_class_v<M> && Described<M>
const M* record_in(const M& value) { return &value; }
template <class M>
using RecordIn =
    std::remove_cv_t<std::remove_pointer_t<decltype(record_in(std::declval<const M&>()))>>;

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
        return records_[i]->read_tagged(json, make_[i](*static_cast<Variant*>(value)), key_);
    std::vector<std::string> known;
    for (const RecordType* record : records_) known.push_back(record->name);
    kind.fail(unknown_name(key_, kind.text(), known));
  }
  Json schema(Definitions& definitions) const override {
    Json all = Json::array();
    for (const RecordType* record : records_)
      all.push_back(record->tagged_schema(definitions, key_));
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
