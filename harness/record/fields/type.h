// SPDX-License-Identifier: Apache-2.0
// Type: how values of one C++ type are written as JSON, read from JSON, and described by JSON
// Schema. There is one immutable Type a C++ type; type_of<T>() of fields.h returns it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/fields/limit.h"
#include "harness/record/json.h"

namespace alsbench {

// Schemas of named records, which others refer to by "#/$defs/NAME".
using Definitions = std::map<std::string, Json>;

class Type {
 public:
  Type() = default;
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  virtual ~Type() = default;

  virtual Json write(const void* value) const = 0;
  // Throws UsageError that names the place of what is not as the type has it.
  virtual void read(const JsonField& json, void* value) const = 0;
  // Adds the records that it refers to.
  virtual Json schema(Definitions& definitions) const = 0;
  // Whether reading takes null for a value, and whether a member may be absent for it.
  virtual bool takes_null() const { return false; }
  virtual bool takes_absence() const { return false; }
};

// The schema of what may also be null.
Json nullable_schema(Json schema);

// The C++ member that a field holds: its type, its place, and functions of it.
struct FieldMember {
  const Type* type = nullptr;
  size_t offset = 0;
  const void* usual = nullptr;  // its default value; null where no C++ member holds the field
  bool (*is_default)(const void* member, const void* usual) = nullptr;
  bool (*is_empty)(const void* member) = nullptr;
  void (*set_empty)(void* member) = nullptr;
};

// A member of a record.
struct RecordField : FieldMember {
  std::string name = {};
  std::string doc = {};    // one line; "" where the name says all
  std::string since = {};  // version of the schema; "" where every reader's file has it
  std::vector<Limit> limits = {};
  bool omitted = false;                  // left out where it has its default value
  bool nullable = false;                 // its empty value (NaN, "") is null
  bool inlined = false;                  // the members of its record stand among those of this one
  std::shared_ptr<const Type> own = {};  // what `type` points to where no other field shares it

  bool required() const { return !omitted && since.empty(); }
  // The member of a record of this field's struct.
  template <class M, class T>
  const M& member_as(const T& record) const {
    return *reinterpret_cast<const M*>(reinterpret_cast<const char*>(&record) + offset);
  }
};

// A column of tables that have a row a record: a field of the record, or what a function makes of
// it.
struct RecordColumn {
  std::string name, doc;
  bool key = false;                              // says which row it is
  std::function<Json(const void* record)> cell;  // null: empty
  std::function<Json(Definitions&)> schema;
};
// "yes" of true, numbers at full precision, texts of a list between semicolons; "" of null.
std::string cell_text(const Json& cell);

// Members of which a record needs one, and where they exclude each other no more than one.
struct Alternatives {
  std::vector<std::string> names = {};
  bool exclusive = true;
};

// An object whose members are the fields of a struct. Members that it does not know are errors of a
// document that people write, and else ignored.
class RecordType : public Type {
 public:
  Json write(const void* value) const override;
  void read(const JsonField& json, void* value) const override;
  Json schema(Definitions& definitions) const override;

  // The schema of the record itself, where schema() may be a reference.
  Json object_schema(Definitions& definitions) const;
  // Writes the members of the record into an object that others belong to, too.
  void write_into(Json& json, const void* value) const;
  void read_members(const JsonField& json, void* value) const;
  // As one of several records that the member `key` tells apart.
  void read_tagged(const JsonField& json, void* value, const std::string& key) const;
  Json tagged_schema(Definitions& definitions, const std::string& key) const;

  std::string name;  // in "$defs"; "" where the schema stands in its place
  std::string doc;
  std::vector<RecordField> fields;
  std::vector<RecordColumn> columns;
  // Adds that of a field, by its place; of the field's name where `name` is empty.
  void add_column(size_t field, const std::string& name, bool key);
  Alternatives alternatives;
  // After all fields, where nothing is wrong with them: throws what one alone cannot tell.
  std::function<void(const JsonField&, void*)> check;
  // The new spelling of a member that older versions had; "" for any other name.
  std::function<std::string(const std::string& name)> replacement;
  // Where members that no field names are kept, to be written again; else they are ignored.
  std::function<Json*(void*)> unknown;

 private:
  void add_schema(Json& properties, Json& required, Definitions& definitions) const;
  void add_names(std::vector<std::string>& names) const;
  void check_alternatives(const JsonField& json) const;
  void check_names(const JsonField& json, std::vector<std::string> known) const;
};

// A record as a document: {"$schema", "title", "description", ..., "$defs"}.
Json document_schema(const RecordType& record, std::string_view title);

}  // namespace alsbench
