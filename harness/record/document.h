// SPDX-License-Identifier: Apache-2.0
// Reading a document: its kind and the version of its schema are checked before its fields.
#pragma once

#include <string>
#include <string_view>

#include "harness/record/fields/fields.h"

namespace alsbench {

// Throws UsageError naming `source` where `json` is no document of this kind, or of a version of
// the schema that this program does not read.
void check_document(const Json& json, std::string_view kind, const std::string& source);

// The same, and where a field is missing or of another type.
template <Described T>
T read_as_document(const Json& json, std::string_view kind, const std::string& source) {
  check_document(json, kind, source);
  return read_written(json, source, read_as<T>);
}

}  // namespace alsbench
