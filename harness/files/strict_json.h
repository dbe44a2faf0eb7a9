// SPDX-License-Identifier: Apache-2.0
// JSON files as they may come from anyone: nothing in them is guessed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace alsbench {

// Throws UsageError that names `source`, the place as a JSON pointer, and the reason. Errors are
// invalid JSON, a duplicate key, a number beyond doubles, and over 64 levels.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& source);
// The same of a file, compressed with gzip or not.
nlohmann::ordered_json read_json(const std::filesystem::path& path);

}  // namespace alsbench
