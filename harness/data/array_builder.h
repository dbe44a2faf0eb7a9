// SPDX-License-Identifier: Apache-2.0
// ArrayBuilder: uninitialised memory that is filled in parallel and then frozen into an Array
// without a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "harness/data/array_memory.h"
#include "harness/data/csr.h"

namespace alsbench {

// Moves, never copies.
template <class T>
class ArrayBuilder {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ArrayBuilder(int64_t size)
      : memory_(uninitialized_memory(static_cast<size_t>(size) * sizeof(T))),
        elements_(static_cast<T*>(memory_.get())),
        size_(size) {}
  ArrayBuilder(ArrayBuilder&&) = default;
  ArrayBuilder& operator=(ArrayBuilder&&) = default;

  T& operator[](int64_t i) { return elements_[i]; }
  const T& operator[](int64_t i) const { return elements_[i]; }
  T* data() { return elements_; }
  int64_t size() const { return size_; }
  // Keeps the first `size` elements; memory that was never written to was never taken.
  void shorten(int64_t size) { size_ = size; }
  // Leaves this empty.
  Array<T> freeze() {
    const std::span<const T> view(elements_, static_cast<size_t>(size_));
    size_ = 0;
    return Array<T>(view, std::move(memory_));
  }

 private:
  std::shared_ptr<void> memory_;
  T* elements_;
  int64_t size_ = 0;
};

}  // namespace alsbench
