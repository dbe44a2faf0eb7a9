// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "variants/core/error.h"

namespace alsbench {

FileLock::FileLock(const std::filesystem::path& path) {
  std::error_code ignored;  // the open says what is wrong
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  fd_ = FileDescriptor(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  int result = fd_ ? 0 : -1;
  if (fd_) do
      result = flock(fd_.get(), LOCK_EX);
    while (result != 0 && errno == EINTR);
  if (result != 0)
    throw EnvironmentError(fmt::format("cannot lock '{}': {}; choose a writable folder",
                                       path.string(), std::strerror(errno)));
}

}  // namespace alsbench
