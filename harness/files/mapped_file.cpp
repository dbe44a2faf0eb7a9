// SPDX-License-Identifier: Apache-2.0
#include "harness/files/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_descriptor.h"
#include "harness/files/host_memory.h"

namespace alsbench {
namespace {

constexpr int kExit = 3;  // the machine cannot do it: harness/process/exit_code.h

void say(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// The number in hexadecimal digits that `text` begins with, which loses them.
uintptr_t take_hex(std::string_view& text) noexcept {
  uintptr_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc() ? value : 0;
}

// Whether a line of /proc/self/maps, "begin-end modes offset device number path", is the mapping
// that holds the address.
bool holds(std::string_view line, uintptr_t address) noexcept {
  const uintptr_t begin = take_hex(line);
  if (line.empty()) return false;
  line.remove_prefix(1);
  return begin <= address && address < take_hex(line);
}

// Calls nothing that a signal handler must not: the system's list of mappings knows the name.
void on_bus_error(int, siginfo_t* info, void*) {
  static char text[8192];
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  const int maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  size_t size = 0;
  for (ssize_t got = 0; (got = ::read(maps, text + size, sizeof text - size)) > 0;) {
    size += static_cast<size_t>(got);
    std::string_view rest(text, size);
    for (size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;) {
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end + 1);
      const size_t path = line.find('/');
      if (path == std::string_view::npos || !holds(line, address)) continue;
      say("alsbench: error: ");
      say(line.substr(path));
      say(": was cut or cannot be read while it is used; do not change files that a run reads\n");
      remove_unfinished_writes();
      ::_exit(kExit);
    }
    size = rest.size();
    std::memmove(text, rest.data(), size);
  }
  ::signal(SIGBUS, SIG_DFL);  // no mapping of a file: the instruction runs again, and ends it
}

}  // namespace

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
    if (data == MAP_FAILED && errno == ENOMEM)
      throw HostMemoryError(status.st_size, free_host_bytes());
    if (data == MAP_FAILED) throw fail("check the file system");
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(static_cast<const char*>(data), size, true));
}

std::shared_ptr<const MappedFile> MappedFile::filled(const std::filesystem::path& path,
                                                     const ReadBytes& read, size_t most) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t free = static_cast<size_t>(free_host_bytes()) / 2 / page * page;
  // Addresses alone: memory is taken as it is written to.
  const size_t room = std::max(page, std::min(free, most));
  void* const data = ::mmap(nullptr, room, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) throw HostMemoryError(static_cast<int64_t>(room), free_host_bytes());
  ::madvise(data, room, MADV_HUGEPAGE);  // or else smaller pages
  const std::shared_ptr<MappedFile> memory(
      new MappedFile(static_cast<const char*>(data), room, false));
  auto* const bytes = static_cast<char*>(data);
  constexpr size_t kStep = size_t{64} << 20;  // no library is asked for gigabytes at once
  size_t size = 0;
  while (size < room) {
    const size_t got = read(bytes + size, std::min(kStep, room - size));
    if (got == 0) break;
    size += got;
  }
  char more = 0;
  if (size == room && room < most && read(&more, 1) > 0)
    throw EnvironmentError(
        fmt::format("{}: holds more than {} bytes, half of the memory that is free; give the part "
                    "of it that is needed, or use a machine with more memory",
                    path.string(), room));
  const size_t kept = std::max(page, (size + page - 1) / page * page);
  if (kept < room) ::munmap(bytes + kept, room - kept);
  memory->mapped_ = std::min(kept, room);
  memory->size_ = size;
  return memory;
}

void MappedFile::forget(std::string_view part) noexcept {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(part.data());
  const uintptr_t first = (begin + page - 1) / page * page,
                  last = (begin + part.size()) / page * page;
  if (first < last)
    ::madvise(const_cast<char*>(part.data()) + (first - begin), last - first, MADV_DONTNEED);
}

void install_truncation_handler() noexcept {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

MappedFile::~MappedFile() {
  if (mapped_ > 0) ::munmap(const_cast<char*>(data_), mapped_);
}

}  // namespace alsbench
