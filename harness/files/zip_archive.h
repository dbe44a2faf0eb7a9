// SPDX-License-Identifier: Apache-2.0
// Archives by libzip.
#pragma once

#include <zip.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alsbench {

using ZipArchive = std::unique_ptr<zip_t, void (*)(zip_t*)>;

// The archive that these bytes are, which must outlive it; null where they are none, and `why`.
ZipArchive open_zip(std::string_view bytes, std::string& why);

// Replaces the file, by replace_file, with an archive of these names and contents in their order.
// The same members make the same bytes. `level` is that of deflate, from 1 to 9; 0: they are
// stored.
void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members, zip_uint32_t level);

}  // namespace alsbench
