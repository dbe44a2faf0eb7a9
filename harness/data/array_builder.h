// SPDX-License-Identifier: Apache-2.0
// FreshArray: uninitialised memory that is filled in parallel and then frozen into an Array without
// a copy.
#pragma once

#include <memory>
#include <span>

#include "harness/data/csr.h"

namespace alsbench {

template <class T>
class FreshArray {
 public:
  explicit FreshArray(int64_t size)
      : elements_(std::make_unique_for_overwrite<T[]>(static_cast<size_t>(size))), size_(size) {}

  T& operator[](int64_t i) { return elements_[i]; }
  const T& operator[](int64_t i) const { return elements_[i]; }
  T* data() { return elements_.get(); }
  int64_t size() const { return size_; }
  // Leaves this empty.
  Array<T> freeze() {
    std::shared_ptr<const T[]> owner(std::move(elements_));
    const std::span<const T> view(owner.get(), static_cast<size_t>(size_));
    size_ = 0;
    return Array<T>(view, std::move(owner));
  }

 private:
  std::unique_ptr<T[]> elements_;
  int64_t size_ = 0;
};

}  // namespace alsbench
