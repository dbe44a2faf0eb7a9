// SPDX-License-Identifier: Apache-2.0
// Files that other programs unpack or rewrite before this one reads them.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace alsbench {

// Throws UsageError that says what the file is and which command makes a text of it, where its
// first bytes are those of a kind that is not read: packed by bzip2, xz and the like, an archive
// of tar, a table of Excel, Parquet or HDF5, or text in UTF-16. `unpacked_by` is the command that
// does what gave these bytes; nullptr: they are those of the file on the disk, `name`.
void refuse_other_kinds(const std::filesystem::path& name, std::string_view bytes,
                        const char* unpacked_by);

// The same for an archive of zip that is a workbook of Excel, by the names of its members.
void refuse_workbook(const std::filesystem::path& name, const std::vector<std::string>& members);

}  // namespace alsbench
