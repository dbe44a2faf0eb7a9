// SPDX-License-Identifier: Apache-2.0
// A folder of a run's own, which is removed with all that is in it.
#pragma once

#include <filesystem>

namespace alsbench {

class PrivateFolder {
 public:
  // In that of temporary files (TMPDIR). Throws EnvironmentError where none can be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace alsbench
