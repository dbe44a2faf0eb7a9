// SPDX-License-Identifier: Apache-2.0
// The version of every JSON document, and the rule of reading one: each minor version of this major
// one is taken, other major versions are refused.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

inline constexpr std::string_view kSchemaVersion = "2.0.0";

// Throws UsageError naming `source` where `version` is no "major.minor.patch", or of another
// major version than `known`.
void check_schema_version(const std::string& version, std::string_view known,
                          const std::string& source);

}  // namespace alsbench
