// SPDX-License-Identifier: Apache-2.0
// ArrayBuilder: uninitialised memory that is filled in parallel and then frozen into an Array
// without a copy.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>

#include "harness/data/csr.h"
#include "harness/files/host_memory.h"

namespace alsbench {

// Large memory lies on huge pages where the system has them: what fills it would otherwise wait for
// a page every 4 KiB. Throws HostMemoryError.
inline void* allocate_uninitialized(size_t bytes) {
  constexpr size_t kHugePage = size_t{2} << 20, kLine = 64;
  const size_t alignment = bytes < kHugePage ? kLine : kHugePage;
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const auto asked = static_cast<int64_t>(rounded);
  require_host_memory(asked);
  void* const memory = std::aligned_alloc(alignment, std::max(rounded, alignment));
  if (memory == nullptr) throw HostMemoryError(asked, free_host_bytes());
  if (alignment == kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);  // or else smaller pages
  return memory;
}

template <class T>
class ArrayBuilder {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ArrayBuilder(int64_t size)
      : elements_(static_cast<T*>(allocate_uninitialized(static_cast<size_t>(size) * sizeof(T)))),
        size_(size) {}

  T& operator[](int64_t i) { return elements_[i]; }
  const T& operator[](int64_t i) const { return elements_[i]; }
  T* data() { return elements_.get(); }
  int64_t size() const { return size_; }
  // Keeps the first `size` elements; memory that was never written to was never taken.
  void shorten(int64_t size) { size_ = size; }
  // Leaves this empty.
  Array<T> freeze() {
    std::shared_ptr<const T[]> owner(std::move(elements_));
    const std::span<const T> view(owner.get(), static_cast<size_t>(size_));
    size_ = 0;
    return Array<T>(view, std::move(owner));
  }

 private:
  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };

  std::unique_ptr<T[], Free> elements_;
  int64_t size_ = 0;
};

}  // namespace alsbench
