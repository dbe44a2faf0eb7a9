// SPDX-License-Identifier: Apache-2.0
// Files that are either the old or the new content, never half of it: written next to the target,
// synced, renamed. Of a symbolic link the target is replaced; pipes and devices are written to as
// they are. Used for every file the program leaves behind, its caches among them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/file_content.h"
#include "harness/files/file_descriptor.h"

namespace alsbench {

class FolderLock;

// How the name of a file ends that is being written.
inline constexpr std::string_view kTemporaryEnding = ".tmp";

// Without the sync, a file may lose content with the power: for caches that check what they read.
enum class Sync { yes, no };

// `write` gets the temporary name. Throws EnvironmentError naming `path` and the reason when
// writing fails; the temporary file is removed then. The folder must exist. A process that is
// killed while it writes leaves its temporary file. The next synced write into that folder removes
// it, by a process of the same host and PID namespace.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write,
                  Sync sync = Sync::yes);
// The same with content that comes in pieces.
void replace_content(const std::filesystem::path& path, const FileContent& content,
                     Sync sync = Sync::yes);
// The same with the whole content. Creates the folders it needs.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           Sync sync = Sync::yes);

// Throws EnvironmentError, as write_file_atomically would, where that may write no such file.
void check_writable(const std::filesystem::path& path);

struct NewFile {
  std::filesystem::path path;
  FileContent content;
};
// Files that belong together, in folders that exist. All are on the disk before the first is
// replaced, so a full disk leaves every old one. A folder that holds them alone is exchanged for a
// new one at one instant. Elsewhere, and where the disk's format cannot do that, the last tells
// whether they are whole: it is missing while the others are replaced. `lock`, held on the folder,
// is held on the new one before that has the name.
void replace_together(const std::vector<NewFile>& files, FolderLock* lock = nullptr);

// Whether a pipe, a socket or a device is there: what is written into, and never replaced.
bool is_stream(const std::filesystem::path& path);

// Brings the names in a folder to the disk: without it a new file may be lost with the power.
void sync_folder(const std::filesystem::path& folder);

// Removes what replace_file is writing now, in a process that ends because of a signal: callable
// from its handler.
void remove_unfinished_writes() noexcept;

// The whole file; throws UsageError where it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);
// No document is longer than 1 GiB, unpacked. Throws UsageError for what has so many bytes.
void check_document_length(const std::filesystem::path& path, size_t bytes);

}  // namespace alsbench
