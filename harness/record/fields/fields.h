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
// From it come to_json(value), read_as<DataRecord>(json) and the JSON Schema, of which the site's
// tables are made. Fields that are columns, too, say so, and tables such as the CSV file of a
// result are made of them. enum_names.h declares enums.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "harness/record/fields/types.h"

namespace alsbench {

template <class T>
concept Recorded = Described<T> || Formed<T> || types::Holder<T>::known;

template <Recorded T>
Json to_json(const T& value) {
  return type_of<T>().write(&value);
}

// Sets what a declaration says of a field besides its name.
class FieldOptions {
 public:
  FieldOptions(RecordType& record, size_t index) : record_(&record), index_(index) {}
  FieldOptions& since(std::string_view version);
  FieldOptions& range(Range::Kind kind);
  FieldOptions& range(double minimum, double maximum);
  // The only values of a text, or of the texts of a list; `kind` says in messages what they name.
  FieldOptions& names(std::string kind, std::function<std::vector<std::string>()> known);
  // A regular expression for the whole text, or for each text of a list. The remedy follows the
  // text in messages: "becomes part of file names; use ...".
  FieldOptions& pattern(const std::string& pattern, std::string remedy);
  // Throws what no schema says.
  FieldOptions& check(std::function<void(const JsonField&)> check);
  // Left out where it has its default value.
  FieldOptions& omitted();
  // Null in place of NaN or an empty text.
  FieldOptions& nullable();
  // Also a column of tables, after those so far; of this name where the field's says too little.
  FieldOptions& column(std::string_view name = "");
  // Likewise, among the first columns, which say which row it is.
  FieldOptions& key_column(std::string_view name = "");

 private:
  FieldOptions& limit(Limit limit);
  RecordField& field();
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
std::shared_ptr<const Type> constant_type(const Json& value, Json schema);
std::function<Json(Definitions&)> fixed_schema(Json schema);

// Fields of a record are declared in hundreds of places: what does not depend on its struct is no
// template.
FieldOptions add_field(RecordType& record, std::string_view name, std::string_view doc,
                       const FieldMember& member, std::shared_ptr<const Type> own = {});

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
  FieldOptions operator()(std::string_view name, M Owner::*member, std::string_view doc = "") {
    const M& at = usual().*member;
    const auto offset = static_cast<size_t>(reinterpret_cast<const char*>(&at) -
                                            reinterpret_cast<const char*>(&usual()));
    return add_field(*record_, name, doc, types::member_of_type(offset, at));
  }
  // The members of another record, among those of this one.
  template <class Owner, class M>
  void inlined(M Owner::*member) {
    (*this)("", member);
    record_->fields.back().inlined = true;
  }
  // Likewise those of a base.
  template <class Base>
  void base() {
    const Base* at = &usual();
    const auto offset = static_cast<size_t>(reinterpret_cast<const char*>(at) -
                                            reinterpret_cast<const char*>(&usual()));
    add_field(*record_, "", "", {.type = &type_of<Base>(), .offset = offset});
    record_->fields.back().inlined = true;
  }
  // Write: Json(const T&); of an `omitted` one, left_out() where it is. Read: void(const
  // JsonField&, T&).
  template <class Write, class Read>
  FieldOptions custom(std::string_view name, const Write& write, const Read& read,
                      const Json& schema, std::string_view doc = "") {
    return add_own(
        name,
        custom_type(
            {[write](const void* value) { return Json(write(*static_cast<const T*>(value))); },
             [read](const JsonField& json, void* value) { read(json, *static_cast<T*>(value)); },
             fixed_schema(schema)}),
        doc);
  }
  // Written as a value of another type, V. Write: V(const T&). Read: void(const V&, T&).
  template <class V, class Write, class Read>
  FieldOptions converted(std::string_view name, const Write& write, const Read& read,
                         std::string_view doc = "") {
    return add_own(
        name,
        custom_type({[write](const void* value) {
                       const V converted = write(*static_cast<const T*>(value));
                       return type_of<V>().write(&converted);
                     },
                     [read](const JsonField& json, void* value) {
                       read(read_as<V>(json), *static_cast<T*>(value));
                     },
                     [](Definitions& definitions) { return type_of<V>().schema(definitions); }}),
        doc);
  }
  // Written for readers, made of other members: it is not read.
  template <class Write>
  FieldOptions derived(std::string_view name, const Write& write, const Json& schema,
                       std::string_view doc = "") {
    return custom(
        name, write, [](const JsonField&, T&) {}, schema, doc);
  }
  // Written for readers, the same of every record: it is not read.
  void constant(std::string_view name, const Json& value, const Json& schema) {
    add_own(name, constant_type(value, schema), "");
  }
  // Likewise, by a function of the record.
  template <class What>
  FieldOptions computed(std::string_view name, const What& what, std::string_view doc = "") {
    return add_own(
        name, custom_type({written(what), [](const JsonField&, void*) {}, schema_of(what)}), doc);
  }
  // A column of tables, made of the record: by one of its members or by a function.
  template <class What>
  void column(std::string_view name, const What& what, std::string_view doc = "") {
    record_->columns.push_back(
        {std::string(name), std::string(doc), false, written(what), schema_of(what)});
  }
  // The columns of another record, with its names behind `prefix`, that `taken` takes. Part: the
  // member, which may be optional, or a function that returns its address or null.
  template <class Part>
  void columns_of(
      const Part& part, const std::string& prefix = "",
      bool (*taken)(const RecordColumn&) = [](const RecordColumn&) { return true; }) {
    using Found = std::remove_cvref_t<std::invoke_result_t<const Part&, const T&>>;
    for (RecordColumn column : record_type<types::RecordIn<Found>>().columns) {
      if (!taken(column)) continue;
      column.name = prefix + column.name;
      column.cell = [part, cell = column.cell](const void* record) {
        const void* found = types::record_in(std::invoke(part, *static_cast<const T*>(record)));
        return found == nullptr ? Json(nullptr) : cell(found);
      };
      record_->columns.push_back(std::move(column));
    }
  }
  // Just one of the members, or at least one.
  void one_of(std::vector<std::string> names) { record_->alternatives = {std::move(names), true}; }
  void any_of(std::vector<std::string> names) { record_->alternatives = {std::move(names), false}; }
  // Older names of members: std::string(const std::string& name), what to write now, or "".
  template <class Replacement>
  void replaced(Replacement replacement) {
    record_->replacement = replacement;
  }
  // After all fields were read: void(const JsonField&, T&), which throws what one alone cannot
  // tell.
  template <class Check>
  void check(Check test) {
    record_->check = [test](const JsonField& json, void* value) {
      test(json, *static_cast<T*>(value));
    };
  }
  // Members that no field names are kept in `unknown`, an object, and written again.
  void keep_unknown(Json T::*unknown) {
    record_->unknown = [unknown](void* value) { return &(static_cast<T*>(value)->*unknown); };
  }

 private:
  template <class What>
  using ValueOf = std::remove_cvref_t<std::invoke_result_t<const What&, const T&>>;
  template <class What>
  static std::function<Json(const void*)> written(const What& what) {
    return [what](const void* record) {
      const ValueOf<What> value = std::invoke(what, *static_cast<const T*>(record));
      return type_of<ValueOf<What>>().write(&value);
    };
  }
  template <class What>
  static std::function<Json(Definitions&)> schema_of(const What&) {
    return [](Definitions& definitions) { return type_of<ValueOf<What>>().schema(definitions); };
  }
  // Default values, with which members are compared where a field is left out by default. On the
  // heap: g++ 12 takes members of a static aggregate for uninitialized.
  static const T& usual() {
    static const auto value = std::make_unique<const T>();
    return *value;
  }
  // A field of the whole struct, with a type of its own.
  FieldOptions add_own(std::string_view name, std::shared_ptr<const Type> type,
                       std::string_view doc) {
    const Type* const own = type.get();
    return add_field(*record_, name, doc, {.type = own}, std::move(type));
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
  } else if constexpr (Formed<T>) {
    return type_for(static_cast<const T*>(nullptr));
  } else if constexpr (NamedEnum<T>) {
    return types::word<T>();
  } else {
    static_assert(Described<T>, "declare the struct's fields: void describe(Fields<T>&)");
    return types::record<T>();
  }
}

}  // namespace alsbench
