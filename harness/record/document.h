// SPDX-License-Identifier: Apache-2.0
// Documents: the members that say which one it is, and reading, where kind and version of the
// schema are checked before the fields.
#pragma once

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

}  // namespace alsbench
