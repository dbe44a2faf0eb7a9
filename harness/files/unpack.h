// SPDX-License-Identifier: Apache-2.0
// Bytes that gzip, zstd or zip packed, unpacked piece by piece.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

// Writes the next bytes to `to`, at most `room` of them, and returns how many; 0 at the end. Throws
// UsageError that names the file and the place where it is damaged or cut.
using ReadBytes = std::function<size_t(char* to, size_t room)>;

// Whether they begin as a file of that kind, whatever its name.
bool is_gzip(std::string_view bytes);
bool is_zstd(std::string_view bytes);
bool is_zip(std::string_view bytes);

// Unpack `packed`, which must outlive the reader: all members of gzip and all frames of zstd, one
// after another. `path` names it in messages.
ReadBytes gzip_reader(const std::filesystem::path& path, std::string_view packed);
ReadBytes zstd_reader(const std::filesystem::path& path, std::string_view packed);

// The files of a zip archive, in its order; folders are left out.
std::vector<std::string> zip_members(const std::filesystem::path& path, std::string_view archive);
// Unpacks one of them.
ReadBytes zip_reader(const std::filesystem::path& path, std::string_view archive,
                     const std::string& member);

}  // namespace alsbench
