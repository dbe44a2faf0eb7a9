// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace alsbench {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

void FileDescriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

int FileDescriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

FileDescriptor open_to_read(const char* path) {
  FileDescriptor file(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file) fcntl(file.get(), F_SETFL, 0);
  return file;
}

bool sync_to_disk(int fd) {
  const char* const wanted = std::getenv("ALSBENCH_FSYNC");
  if (wanted != nullptr && std::string_view(wanted) == "off") return true;
  return fsync(fd) == 0;
}

bool is_pipe(const FileDescriptor& file) {
  struct stat status {};
  return fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode);
}

bool write_fully(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void write_all(int fd, std::string_view bytes, const std::string& what) {
  if (write_fully(fd, bytes)) return;
  throw EnvironmentError(
      fmt::format("cannot write '{}': {}; choose a writable folder with free space", what,
                  std::strerror(errno)));
}

}  // namespace alsbench
