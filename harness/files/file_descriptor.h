// SPDX-License-Identifier: Apache-2.0
// FileDescriptor: a file descriptor that is closed with its owner. Used for files that are synced,
// and for the sockets and pipes of workers.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// Moves, never copies.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();
  int release();

 private:
  int fd_ = -1;
};

// Opens for reading without waiting for the writer of a pipe. A pipe without a writer reads as
// empty. Not open where the system refuses; errno says why.
FileDescriptor open_to_read(const char* path);

bool is_pipe(const FileDescriptor& file);

// Waits until the disk has what was written. False where the system refuses; errno says why.
// ALSBENCH_FSYNC=off does not wait: what was written is lost where the machine crashes.
bool sync_to_disk(int fd);

// Writes all bytes. False where the system refuses; errno says why.
bool write_fully(int fd, std::string_view bytes);
// The same; throws EnvironmentError naming `what`.
void write_all(int fd, std::string_view bytes, const std::string& what);

}  // namespace alsbench
