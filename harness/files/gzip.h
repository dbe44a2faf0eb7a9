// SPDX-License-Identifier: Apache-2.0
// Files compressed with gzip, and text as gzip writes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace alsbench {

// The whole file, decompressed where it begins as gzip does. Throws UsageError where it cannot be
// read or is damaged.
std::string read_whole_file_unzipped(const std::filesystem::path& path);

// The text as a gzip file. The same text gives the same bytes.
std::string gzip_of(std::string_view text);

}  // namespace alsbench
