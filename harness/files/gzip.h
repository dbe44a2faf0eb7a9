// SPDX-License-Identifier: Apache-2.0
// Reading files that may be compressed with gzip. Used for recorded tuning journals.
#pragma once

#include <filesystem>
#include <string>

namespace alsbench {

// The whole file, decompressed where it begins as gzip does. Throws UsageError where it cannot be
// read or is damaged.
std::string read_whole_file_unzipped(const std::filesystem::path& path);

}  // namespace alsbench
