// SPDX-License-Identifier: Apache-2.0
// FileLock: what writers of one file hold while they read, change and replace it, so neither loses
// the other's change. FolderLock: what the one writer of a folder holds.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/files/file_descriptor.h"

namespace alsbench {

// Held until destroyed; other processes and other FileLocks of this one wait for it. The file at
// `path` is made where it is missing, with its folders. It is never removed, which would let two
// processes hold locks on two files of one name.
class FileLock {
 public:
  // Waits. Throws EnvironmentError naming `path` and the reason where it cannot be locked.
  explicit FileLock(const std::filesystem::path& path);

 private:
  FileDescriptor fd_;  // closing it releases the lock
};

// Takes the lock of an open file or folder until the descriptor is closed. False where another
// holds it; a file system without locks gives none.
bool take_lock(const FileDescriptor& fd);

// Held until destroyed, by who will exchange what is in a folder that exists. It is on the folder
// itself: nothing is left behind. A file system without locks gives none.
class FolderLock {
 public:
  // Does not wait: throws UsageError naming `folder` where another holds it, EnvironmentError where
  // it cannot be opened.
  explicit FolderLock(const std::filesystem::path& folder);

  // Takes the lock of `fresh`, too, a new folder that is about to take the name of the held one.
  void extend_to(const std::filesystem::path& fresh);

 private:
  std::filesystem::path folder_;
  std::vector<FileDescriptor> held_;
};

}  // namespace alsbench
