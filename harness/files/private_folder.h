// SPDX-License-Identifier: Apache-2.0
// A folder of a command's own among the temporary ones, which is removed with all that is in it.
// The next one of the same purpose removes those that killed commands left.
#pragma once

#include <filesystem>
#include <string>

#include "harness/files/file_descriptor.h"

namespace alsbench {

class PrivateFolder {
 public:
  // TMPDIR/alsbench-PURPOSE-XXXXXX. Throws EnvironmentError where none can be made.
  explicit PrivateFolder(const std::string& purpose);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor held_;  // its lock says that it is in use
};

}  // namespace alsbench
