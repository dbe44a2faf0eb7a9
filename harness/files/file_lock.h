// SPDX-License-Identifier: Apache-2.0
// FileLock: what writers of one file hold while they read, change and replace it, so that neither
// loses the other's change.
#pragma once

#include <filesystem>

#include "harness/files/file_descriptor.h"

namespace alsbench {

// Held until destroyed; other processes and other FileLocks of this one wait for it. The file at
// `path` is made where it is missing, with its folders, and stays: removing it would let two
// processes hold locks on two files of one name.
class FileLock {
 public:
  // Waits. Throws EnvironmentError naming `path` and the reason where it cannot be locked.
  explicit FileLock(const std::filesystem::path& path);

 private:
  FileDescriptor fd_;  // closing it releases the lock
};

}  // namespace alsbench
