// SPDX-License-Identifier: Apache-2.0
#include "harness/record/document.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/record/escape.h"
#include "harness/record/schema_version.h"

namespace alsbench {

void check_document(const Json& json, std::string_view kind, const std::string& source) {
  const std::string found = text_at(json, "kind");
  if (found != kind)
    throw UsageError(fmt::format(
        "{}: is no document of kind '{}': {}", source, kind,
        found.empty() ? "it has no kind" : fmt::format("its kind is '{}'", visible(found))));
  check_schema_version(text_at(json, "schema_version"), kSchemaVersion, source);
}

}  // namespace alsbench
