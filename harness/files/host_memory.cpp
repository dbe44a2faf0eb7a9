// SPDX-License-Identifier: Apache-2.0
#include "harness/files/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

void* allocate(size_t bytes, size_t alignment) {
  const auto asked = static_cast<int64_t>(std::min(bytes, static_cast<size_t>(kUnlimited)));
  expect_host_memory(asked);
  const size_t size = std::max<size_t>(bytes, 1);
  void* data = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    data = std::malloc(size);
  } else if (posix_memalign(&data, alignment, size) != 0) {
    data = nullptr;
  }
  // Asking what is free takes memory: where not even a small piece is left, that is no longer done.
  if (data == nullptr) throw HostMemoryError(asked, asked >= kPiece ? free_host_bytes() : 0);
  return data;
}

}  // namespace

int64_t free_host_bytes() {
  return std::min({available_bytes(), group_memory().free, address_space_left()});
}

HostMemoryError::HostMemoryError(int64_t bytes, int64_t free) noexcept {
  std::snprintf(text_, sizeof text_,
                "out of host memory: %lld bytes asked for, %lld free; choose a smaller problem, "
                "--rank or --scale",
                static_cast<long long>(bytes), static_cast<long long>(free));
}

void expect_host_memory(int64_t bytes) {
  if (bytes < kPiece) return;
  const int64_t free = free_host_bytes();
  if (bytes > free) throw HostMemoryError(bytes, free);
}

void take_host_memory(void* data, int64_t bytes) {
  if (bytes < kPiece) return;
  for (int64_t at = 0; at < bytes; at += kPiece) {
    const int64_t piece = std::min(kPiece, bytes - at);
    // As much again stays free, for others that ask at the same time.
    const int64_t available = std::min(available_bytes(), group_memory().free);
    if (available < std::max(bytes - at, 2 * kPiece)) throw HostMemoryError(bytes, available);
    std::memset(static_cast<char*>(data) + at, 0, static_cast<size_t>(piece));
  }
}

}  // namespace alsbench

// The program's own, so that no container takes what the machine does not have.
void* operator new(size_t bytes) { return alsbench::allocate(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return alsbench::allocate(bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return alsbench::allocate(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, size_t) noexcept { std::free(data); }
void operator delete(void* data, std::align_val_t) noexcept { std::free(data); }
void operator delete(void* data, size_t, std::align_val_t) noexcept { std::free(data); }
void operator delete(void* data, const std::nothrow_t&) noexcept { std::free(data); }
