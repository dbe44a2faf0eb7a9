// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/suggestion.h"

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
  if (field.inlined) return record_of(field).read_members(json, member_of(value, field));
  const std::optional<JsonField> found = json.member(field.name);
  if (!found) {
    if (field.required() && !field.type->takes_absence())
      json.at(field.name);  // says that it lacks
    if (field.nullable) field.set_empty(member_of(value, field));
    return;
  }
  if (found->is_null() && field.nullable) return field.set_empty(member_of(value, field));
  const bool may_be_null = !field.required() && !json.is_written_by_people();
  if (found->is_null() && may_be_null && !field.type->takes_null()) return;
  found->attempt([&] {
    if (!found->is_null())
      for (const Limit& limit : field.limits) limit.check(*found);
    field.type->read(*found, member_of(value, field));
  });
}

Json field_schema(const RecordField& field, Definitions& definitions) {
  Json schema = field.type->schema(definitions);
  for (const Limit& limit : field.limits)
    if (limit.describe) limit.describe(schema);
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

Json RecordType::write(const void* value) const {
  Json json = Json::object();
  write_into(json, value);
  if (unknown) json.update(*unknown(const_cast<void*>(value)), true);
  return json;
}

namespace {

Json member_json(const RecordField& field, const void* member) {
  return field.nullable && field.is_empty(member) ? Json(nullptr) : field.type->write(member);
}

// Where it is not left out.
void write_member(Json& json, const RecordField& field, const void* member) {
  Json value = member_json(field, member);
  if (!value.is_discarded()) json[field.name] = std::move(value);
}

}  // namespace

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "";
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (cell.is_number_float()) return fmt::format("{}", cell.get<double>());
  if (!cell.is_array()) return cell.dump();
  return fmt::format("{}", fmt::join(cell.get<std::vector<std::string>>(), ";"));
}

void RecordType::add_column(size_t field, const std::string& column, bool key) {
  const auto own = [this, field]() -> const RecordField& { return fields[field]; };
  columns.push_back(
      {column.empty() ? own().name : column, own().doc, key,
       [own](const void* record) { return member_json(own(), member_of(record, own())); },
       [own](Definitions& definitions) { return field_schema(own(), definitions); }});
}

void RecordType::write_into(Json& json, const void* value) const {
  for (const RecordField& field : fields) {
    const char* member = member_of(value, field);
    if (field.inlined)
      record_of(field).write_into(json, member);
    else if (!field.omitted || !field.usual || !field.is_default(member, field.usual))
      write_member(json, field, member);
  }
}

void RecordType::read(const JsonField& json, void* value) const {
  check_names(json, {});
  read_members(json, value);
}

void RecordType::read_tagged(const JsonField& json, void* value, const std::string& key) const {
  check_names(json, {key});
  read_members(json, value);
}

void RecordType::read_members(const JsonField& json, void* value) const {
  for (const RecordField& field : fields) json.attempt([&] { read_field(field, json, value); });
  if (!alternatives.names.empty()) check_alternatives(json);
  if (unknown) {
    Json known = Json::object();
    write_into(known, value);
    *unknown(value) = unknown_fields(json.value(), known);
  }
  if (check && json.is_sound()) json.attempt([&] { check(json, value); });
}

void RecordType::add_names(std::vector<std::string>& names) const {
  for (const RecordField& field : fields)
    if (field.inlined)
      record_of(field).add_names(names);
    else
      names.push_back(field.name);
}

void RecordType::check_names(const JsonField& json, std::vector<std::string> known) const {
  if (!json.is_written_by_people() || !json.value().is_object()) return;
  add_names(known);
  for (const auto& [key, member] : json.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string instead = replacement ? replacement(key) : "";
    if (!instead.empty())
      member.report(fmt::format("is no key since schema 2.0; write {}", instead));
    else
      member.report(unknown_name("key", key, known));
  }
}

void RecordType::check_alternatives(const JsonField& json) const {
  if (!json.value().is_object()) return;
  std::vector<std::string> found;
  for (const std::string& one : alternatives.names)
    if (json.find(one)) found.push_back(one);
  if (found.empty())
    json.report(fmt::format("needs '{}'", fmt::join(alternatives.names, "' or '")));
  else if (alternatives.exclusive && found.size() > 1)
    json.report(fmt::format("has both '{}'; give one of them", fmt::join(found, "' and '")));
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
  schema["additionalProperties"] = unknown != nullptr;
  if (alternatives.names.empty()) return schema;
  Json& choice = schema[alternatives.exclusive ? "oneOf" : "anyOf"] = Json::array();
  for (const std::string& one : alternatives.names)
    choice.push_back({{"required", Json::array({one})}});
  return schema;
}

Json RecordType::tagged_schema(Definitions& definitions, const std::string& key) const {
  Json schema = object_schema(definitions);
  Json properties{{key, {{"const", name}}}};
  properties.update(schema["properties"]);
  schema["properties"] = std::move(properties);
  Json required = Json::array({key});
  if (schema.contains("required"))
    required.insert(required.end(), schema["required"].begin(), schema["required"].end());
  schema["required"] = std::move(required);
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
