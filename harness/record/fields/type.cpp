// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/type.h"

#include <fmt/format.h>

#include <algorithm>

namespace alsbench {
namespace {

const char* member_of(const void* value, const RecordField& field) {
  return static_cast<const char*>(value) + field.offset;
}
char* member_of(void* value, const RecordField& field) {
  return static_cast<char*>(value) + field.offset;
}

const RecordType& record_of(const RecordField& field) {
  return dynamic_cast<const RecordType&>(*field.type);
}

void read_field(const RecordField& field, const JsonField& json, void* value) {
  if (field.read_others) return field.read_others(json, value);
  if (field.inlined) return record_of(field).read_members(json, member_of(value, field));
  const std::optional<JsonField> found = json.member(field.name);
  if (!found) {
    if (field.required() && !field.type->takes_absence())
      json.at(field.name);  // says that it lacks
    if (field.nullable) field.set_empty(member_of(value, field));
    return;
  }
  if (found->is_null() && field.nullable) return field.set_empty(member_of(value, field));
  if (found->is_null() && !field.required() && !field.type->takes_null()) return;
  field.range.check(*found);
  field.type->read(*found, member_of(value, field));
}

Json field_schema(const RecordField& field, Definitions& definitions) {
  Json schema = field.type->schema(definitions);
  field.range.describe(schema);
  if (field.nullable) schema = nullable_schema(std::move(schema));
  std::string doc = field.doc;
  if (!field.since.empty())
    doc = fmt::format("since {}{}{}", field.since, doc.empty() ? "" : ": ", doc);
  if (!doc.empty()) schema["description"] = doc;
  return schema;
}

}  // namespace

Json nullable_schema(Json schema) {
  const auto type = schema.find("type");
  if (type != schema.end() && type->is_string()) {
    *type = Json::array({*type, "null"});
    return schema;
  }
  if (schema.empty() || type != schema.end()) return schema;
  return {{"anyOf", Json::array({std::move(schema), Json{{"type", "null"}}})}};
}

void Range::check(const JsonField& json) const {
  if (kind == Kind::any || json.is_null()) return;
  if (kind == Kind::time) return static_cast<void>(json.time());
  if (kind == Kind::duration) return static_cast<void>(json.duration());
  if (kind == Kind::not_empty) {
    if (json.value().empty()) json.fail("is empty");
    return;
  }
  const double value = json.number();
  const auto refuse = [&](const char* allowed) {
    json.fail(fmt::format("is {}; it must be {}", value, allowed));
  };
  if (kind == Kind::from_0 && !(value >= 0)) refuse("at least 0");
  if (kind == Kind::from_1 && !(value >= 1)) refuse("at least 1");
  if (kind == Kind::above_0 && !(value > 0)) refuse("above 0");
  if (kind == Kind::share && !(value >= 0 && value <= 1)) refuse("from 0 to 1");
}

void Range::describe(Json& schema) const {
  switch (kind) {
    case Kind::any:
      return;
    case Kind::time:
    case Kind::above_0:
      schema["exclusiveMinimum"] = 0;
      return;
    case Kind::from_0:
    case Kind::duration:
      schema["minimum"] = 0;
      return;
    case Kind::from_1:
      schema["minimum"] = 1;
      return;
    case Kind::not_empty:
      schema["minItems"] = 1;
      return;
    case Kind::share:
      schema["minimum"] = 0;
      schema["maximum"] = 1;
      return;
  }
}

Json RecordType::write(const void* value) const {
  Json json = Json::object();
  write_into(json, value);
  if (unknown) json.update(*unknown(const_cast<void*>(value)), true);
  return json;
}

namespace {

// Where it is not left out.
void write_member(Json& json, const RecordField& field, const void* member) {
  Json value = field.nullable && field.is_empty(member) ? Json(nullptr) : field.type->write(member);
  if (!value.is_discarded()) json[field.name] = std::move(value);
}

}  // namespace

void RecordType::write_into(Json& json, const void* value) const {
  for (const RecordField& field : fields) {
    const char* member = member_of(value, field);
    if (field.write_others)
      field.write_others(value, json);
    else if (field.inlined)
      record_of(field).write_into(json, member);
    else if (!field.omitted || !field.is_default || !field.is_default(member))
      write_member(json, field, member);
  }
}

void RecordType::read(const JsonField& json, void* value) const { read_members(json, value); }

void RecordType::read_members(const JsonField& json, void* value) const {
  for (const RecordField& field : fields) read_field(field, json, value);
  if (unknown) {
    Json known = Json::object();
    write_into(known, value);
    *unknown(value) = unknown_fields(json.value(), known);
  }
  if (check) check(json, value);
}

Json RecordType::schema(Definitions& definitions) const {
  if (name.empty()) return object_schema(definitions);
  if (definitions.try_emplace(name).second) {
    Json object = object_schema(definitions);
    definitions[name] = std::move(object);
  }
  return {{"$ref", "#/$defs/" + name}};
}

void RecordType::add_schema(Json& properties, Json& required, Definitions& definitions) const {
  for (const RecordField& field : fields) {
    if (field.write_others) continue;
    if (field.inlined) {
      record_of(field).add_schema(properties, required, definitions);
      continue;
    }
    properties[field.name] = field_schema(field, definitions);
    if (field.required()) required.push_back(field.name);
  }
}

Json RecordType::object_schema(Definitions& definitions) const {
  Json properties = Json::object(), required = Json::array();
  add_schema(properties, required, definitions);
  Json schema{{"type", "object"}};
  if (!doc.empty()) schema["description"] = doc;
  schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  const bool open = std::any_of(fields.begin(), fields.end(), [](const RecordField& field) {
    return field.write_others != nullptr;
  });
  schema["additionalProperties"] = open || unknown != nullptr;
  return schema;
}

Json document_schema(const RecordType& record, std::string_view title) {
  Definitions definitions;
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(record.object_schema(definitions));
  if (definitions.empty()) return schema;
  Json& defs = schema["$defs"] = Json::object();
  for (auto& [name, definition] : definitions) defs[name] = std::move(definition);
  return schema;
}

}  // namespace alsbench
