// SPDX-License-Identifier: Apache-2.0
// Documents that people write, such as suites: what may stand at their head, and reading, which
// collects every error and refuses what it does not know.
#pragma once

#include <fmt/format.h>

#include <string>

#include "harness/record/document.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

// Declares "$schema" and "schema_version", which may be left out.
template <class T>
void describe_hand_written(Fields<T>& fields) {
  const auto nothing = [](const T&) { return left_out(); };
  const auto text = [](const JsonField& json, T&) { json.text(); };
  const Json schema{{"type", "string"}};
  fields.custom("$schema", nothing, text, schema, "for editors").omitted();
  fields.custom("schema_version", nothing, text, schema, std::string(kSchemaVersion))
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
