// SPDX-License-Identifier: Apache-2.0
#include "harness/files/host_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "harness/files/control_group.h"

namespace alsbench {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
constexpr int64_t kPiece = int64_t{64} << 20;  // smaller ones cost less than asking

int64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  int64_t kilobytes = 0;
  for (std::string unit; file >> key >> kilobytes; std::getline(file, unit))
    if (key == "MemAvailable:") return 1024 * kilobytes;
  return kUnlimited;
}

int64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return std::max<int64_t>(0, static_cast<int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

// Has the system give the pages of these bytes. What they hold may become zeros.
void touch(char* data, int64_t bytes) {
#ifdef MADV_POPULATE_WRITE  // Linux 5.14; it takes two thirds of the time of a fault a page
  const auto before = static_cast<int64_t>(reinterpret_cast<uintptr_t>(data) %
                                           static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)));
  if (madvise(data - before, static_cast<size_t>(before + bytes), MADV_POPULATE_WRITE) == 0) return;
#endif
  std::memset(data, 0, static_cast<size_t>(bytes));
}

}  // namespace

int64_t free_host_bytes() {
  return std::min({available_bytes(), group_memory().free, address_space_left()});
}

const char* host_memory_text(const std::bad_alloc& error) noexcept {
  if (dynamic_cast<const HostMemoryError*>(&error) != nullptr) return error.what();
  return "out of host memory; choose a smaller problem, --rank or --scale";
}

HostMemoryError::HostMemoryError(int64_t bytes, int64_t free) noexcept {
  std::snprintf(text_, sizeof text_,
                "out of host memory: %lld bytes asked for, %lld free; choose a smaller problem, "
                "--rank or --scale",
                static_cast<long long>(bytes), static_cast<long long>(free));
}

void require_host_memory(int64_t bytes) {
  if (bytes < kPiece) return;
  const int64_t free = free_host_bytes();
  if (bytes > free) throw HostMemoryError(bytes, free);
}

void commit_host_memory(void* data, int64_t bytes) {
  if (bytes < kPiece) return;
  for (int64_t at = 0; at < bytes; at += kPiece) {
    const int64_t piece = std::min(kPiece, bytes - at);
    // As much again stays free, for others that ask at the same time.
    const int64_t available = std::min(available_bytes(), group_memory().free);
    if (available < std::max(bytes - at, 2 * kPiece)) throw HostMemoryError(bytes, available);
    touch(static_cast<char*>(data) + at, piece);
  }
}

}  // namespace alsbench
