// SPDX-License-Identifier: Apache-2.0
// Documents: the members that say which one it is, and reading, where kind and version of the
// schema are checked before the fields.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "harness/record/fields/fields.h"

namespace alsbench {

inline constexpr std::string_view kSchemaVersion = "2.0.0";

// Throws UsageError naming `source` where `version` is no "major.minor.patch", or of another
// major version than `known`.
void check_schema_version(const std::string& version, std::string_view known,
                          const std::string& source);

// Declares "schema_version" and "kind".
template <class T>
void describe_document(Fields<T>& fields, const std::string& kind) {
  fields.constant("schema_version", kSchemaVersion,
                  {{"type", "string"}, {"pattern", "^2\\.[0-9]+\\.[0-9]+$"}});
  fields.constant("kind", kind, {{"const", kind}});
}

// Throws UsageError naming `source` where `json` is no document of this kind, or of a version of
// the schema that this program does not read.
void check_document(const Json& json, std::string_view kind, const std::string& source);

// The same, and where a field is missing or of another type.
template <Described T>
T read_as_document(const Json& json, std::string_view kind, const std::string& source) {
  check_document(json, kind, source);
  return read_written(json, source, read_as<T>);
}

// Text with a line for each member, and for each element of the member `list`: files that are kept
// and compared are short, and a changed element is a changed line.
std::string text_by_lines(const Json& document, std::string_view list);

// Documents that people write, such as suites: reading collects every error and refuses what it
// does not know. Declares "$schema" and "schema_version", which may be left out.
template <class T>
void describe_hand_written(Fields<T>& fields) {
  const auto nothing = [](const T&) { return left_out(); };
  const auto text = [](const JsonField& json, T&) { json.text(); };
  const Json schema{{"type", "string"}};
  fields.custom("$schema", nothing, text, schema, "for editors").omitted();
  fields.custom("schema_version", nothing, text, schema, kSchemaVersion)
      .omitted()
      .pattern("2\\.[0-9]+\\.[0-9]+",
               fmt::format("is no version that this alsbench reads; write '{}', and the keys of "
                           "`alsbench schema`",
                           kSchemaVersion));
}

// Throws UsageError that lists all that is wrong.
template <Described T>
T read_hand_written(const Json& json, const std::string& source) {
  DocumentErrors errors;
  T value = read_as<T>(JsonField(json, "", &errors));
  errors.throw_of(source);
  return value;
}

}  // namespace alsbench
