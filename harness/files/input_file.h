// SPDX-License-Identifier: Apache-2.0
// Files that people hand to the program to read ratings from: on the disk, in a pipe, or a member
// of a zip archive; plain, or packed by gzip or zstd.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "harness/files/mapped_file.h"

namespace alsbench {

// A path in its parts. "-" is the standard input. "ratings.zip/ml-20m/ratings.csv" is a member of
// an archive where ratings.zip is a file.
struct InputPath {
  std::filesystem::path file;  // that lies on the disk, or the pipe
  std::filesystem::path name;  // of the file for messages: a piped table has its own
  std::string member = {};
};
InputPath input_path(const std::filesystem::path& path);

// Whether it is a folder of files, and no piped table that lies in a folder.
bool is_input_folder(const std::filesystem::path& path);

// Whether the path is a pipe, a socket or a device: what can be read once, by one process.
bool is_input_stream(const std::filesystem::path& path);

// Throws UsageError where the path is something, but neither a file, a folder nor a pipe.
void check_input(const std::filesystem::path& path);

struct InputFile {
  std::filesystem::path name;  // for messages: of a zip archive with its member
  std::shared_ptr<const MappedFile> bytes;
};

inline constexpr size_t kWholeInput = std::numeric_limits<size_t>::max();
// Enough to see what a file is.
inline constexpr size_t kInputBeginning = size_t{4} << 20;

// The bytes behind the path, unpacked; of packed ones no more than `most`. What a pipe gives is
// kept, so it may be opened again. An archive of numpy's arrays (.npz) stays as it is. Throws
// UsageError where it cannot be read, is damaged, is of a kind that other programs unpack, or is an
// archive of several files none of which is named; EnvironmentError where it holds more than the
// memory does.
InputFile open_input(const std::filesystem::path& path, size_t most = kWholeInput);

}  // namespace alsbench
