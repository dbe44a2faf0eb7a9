// SPDX-License-Identifier: Apache-2.0
#include "harness/record/schema_version.h"

#include <fmt/format.h>

#include <charconv>

#include "harness/record/escape.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

int major_of(std::string_view version, const std::string& source) {
  int number = 0;
  const char* const last = version.data() + version.size();
  const auto [end, error] = std::from_chars(version.data(), last, number);
  if (error != std::errc() || number < 0 || end == last || *end != '.')
    throw UsageError(fmt::format("{}: schema_version '{}' is not of the form major.minor.patch",
                                 source, visible(version)));
  return number;
}

}  // namespace

void check_schema_version(const std::string& version, std::string_view known,
                          const std::string& source) {
  const int known_major = major_of(known, "alsbench"), major = major_of(version, source);
  if (major > known_major)
    throw UsageError(
        fmt::format("{}: has schema version {}, but this alsbench reads {}.x; use a newer alsbench",
                    source, visible(version), known_major));
  if (major < known_major)
    throw UsageError(
        fmt::format("{}: has schema version {}, but this alsbench reads {}.x; convert the file "
                    "with scripts/convert_results.py",
                    source, visible(version), known_major));
}

}  // namespace alsbench
