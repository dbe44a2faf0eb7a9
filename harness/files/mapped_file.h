// SPDX-License-Identifier: Apache-2.0
// A read-only file mapping that Arrays and string_views may share.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace alsbench {

class MappedFile {
 public:
  // Throws UsageError naming the file when it cannot be read, HostMemoryError when it does not fit
  // into the addresses that are left.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {data_, size_}; }
  // Gives the memory of a part of a mapped file back. It is read again where it is used again.
  static void forget(std::string_view part) noexcept;

 private:
  MappedFile(const char* data, size_t size) : data_(data), size_(size) {}
  const char* data_;
  size_t size_;
};

// Installs a handler for mapped files that another program truncates. The process ends with exit
// code 3 and a message that names the file, instead of SIGBUS.
void install_truncation_handler() noexcept;

}  // namespace alsbench
