// SPDX-License-Identifier: Apache-2.0
// The version rule of every JSON file the program reads: each older minor version is taken, a newer
// major one refused.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// Throws UsageError naming `source` where `version` is no "major.minor.patch", or of a newer major
// version than `known`.
void check_schema_version(const std::string& version, std::string_view known,
                          const std::string& source);

}  // namespace alsbench
