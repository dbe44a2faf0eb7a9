// SPDX-License-Identifier: Apache-2.0
// A read-only file mapping, or memory like one, that Arrays and string_views may share.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "harness/files/unpack.h"

namespace alsbench {

class MappedFile {
 public:
  // Throws UsageError naming the file when it cannot be read, HostMemoryError when it does not fit
  // into the addresses that are left.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  // Memory in place of a file: all that `read` gives, or `most` bytes of it. `path` names it.
  // Throws EnvironmentError where that is more than half of the memory that is free: what is made
  // of it needs as much again.
  static std::shared_ptr<const MappedFile> filled(const std::filesystem::path& path,
                                                  const ReadBytes& read, size_t most);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {data_, size_}; }
  // Whether the bytes lie in a file: their memory can be given back then.
  bool in_file() const { return in_file_; }
  // Gives the memory of a part of a mapped file back. It is read again where it is used again.
  static void forget(std::string_view part) noexcept;

 private:
  MappedFile(const char* data, size_t size, bool in_file)
      : data_(data), size_(size), mapped_(size), in_file_(in_file) {}
  const char* data_;
  size_t size_, mapped_;  // bytes of content, and of memory
  bool in_file_;
};

// Installs a handler for mapped files that another program truncates. The process ends with exit
// code 3 and a message that names the file, instead of SIGBUS.
void install_truncation_handler() noexcept;

}  // namespace alsbench
