// SPDX-License-Identifier: Apache-2.0
#include "harness/files/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "harness/files/file_descriptor.h"
#include "variants/core/error.h"

namespace alsbench {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto fail = [&](const char* remedy) {
    return UsageError(fmt::format("{}: {}; {}", path.string(), std::strerror(errno), remedy));
  };
  // Without waiting for the writer of a pipe, which is refused below.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) throw fail("give a file that exists and can be read");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw fail("check the file system");
  if (!S_ISREG(status.st_mode))
    throw UsageError(fmt::format("{}: is not a regular file; give a file", path.string()));
  const size_t size = static_cast<size_t>(status.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) throw fail("check the file system");
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(static_cast<const char*>(data), size));
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace alsbench
