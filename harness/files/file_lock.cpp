// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace alsbench {
namespace {

// Not where the folder was exchanged for another between open() and flock().
bool is_still_named(const FileDescriptor& fd, const std::filesystem::path& folder) {
  struct stat held {
  }, named{};
  return fstat(fd.get(), &held) == 0 && stat(folder.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

FileDescriptor locked_folder(const std::filesystem::path& folder) {
  FileDescriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd)
    throw EnvironmentError(fmt::format("cannot open the folder '{}': {}; choose another one",
                                       folder.string(), std::strerror(errno)));
  if (!take_lock(fd))
    throw UsageError(
        fmt::format("{}: another process will write into this folder; wait for its end, or give "
                    "another name",
                    folder.string()));
  return fd;
}

}  // namespace

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

bool take_lock(const FileDescriptor& fd) {
  return flock(fd.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder) {
  do {
    held_.clear();
    held_.push_back(locked_folder(folder));
  } while (!is_still_named(held_.back(), folder));
}

void FolderLock::extend_to(const std::filesystem::path& fresh) {
  std::erase_if(held_, [&](const FileDescriptor& fd) { return !is_still_named(fd, folder_); });
  held_.push_back(locked_folder(fresh));
}

}  // namespace alsbench
