// SPDX-License-Identifier: Apache-2.0
// Lines and records of many numbers: threads format them in blocks, which are written in order.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "harness/files/file_content.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {

// Text that grows at its end. Numbers are written as fmt writes "{}": of a float the fewest digits
// that give it again.
class TextBlock {
 public:
  // Each part is a text, a character, a whole number or a float.
  template <class... Parts>
  void add(const Parts&... parts) {
    reserve((size_t{0} + ... + longest(parts)));
    (put(parts), ...);
  }
  // The bytes of a value as they are in memory.
  template <class T>
  void add_bytes(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
  }
  template <class T>
  void add_bytes_of(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  void clear() { size_ = 0; }
  std::string_view text() const { return {memory_.get(), size_}; }

 private:
  template <class T>
  static constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;

  template <class T>
  static size_t longest(const T& part) {
    constexpr size_t kLongestNumber = 32;
    if constexpr (is_text<T>)
      return std::string_view(part).size();
    else
      return kLongestNumber;
  }
  template <class T>
  void put(const T& part) {
    char* const end = memory_.get() + size_;
    if constexpr (is_text<T>) {
      const std::string_view text(part);
      std::memcpy(end, text.data(), text.size());
      size_ += text.size();
    } else if constexpr (std::is_same_v<T, char>) {
      *end = part;
      ++size_;
    } else {
      size_ += static_cast<size_t>(fmt::format_to(end, FMT_COMPILE("{}"), part) - end);
    }
  }
  void reserve(size_t more) {
    if (size_ + more <= capacity_) return;
    capacity_ = std::max(2 * capacity_, size_ + more);
    std::unique_ptr<char[]> larger(new char[capacity_]);
    std::copy_n(memory_.get(), size_, larger.get());
    memory_ = std::move(larger);
  }

  std::unique_ptr<char[]> memory_;
  size_t size_ = 0, capacity_ = 0;
};

// Calls format(i, text), which appends block i to an empty text, for i from 0 to count - 1 on all
// threads, and write(text) in the order of i, by one thread at a time. Throws what the first of
// them threw; what was written is then incomplete.
template <class Format>
void write_blocks(int64_t count, const Format& format, const WriteText& write) {
  FirstError error;
#pragma omp parallel
  {
    TextBlock block;
#pragma omp for ordered schedule(dynamic, 1)
    for (int64_t i = 0; i < count; ++i) {
      block.clear();
      error.run([&] { format(i, block); });
#pragma omp ordered
      error.run([&] { write(block.text()); });
    }
  }
  error.rethrow();
}

// The same of `count` rows, which format(i, text) appends, in blocks of so many.
template <class Format>
void write_rows(int64_t count, int64_t block_rows, const Format& format, const WriteText& write) {
  const auto rows = [&](int64_t block, TextBlock& text) {
    const int64_t end = std::min(count, (block + 1) * block_rows);
    for (int64_t row = block * block_rows; row < end; ++row) format(row, text);
  };
  write_blocks((count + block_rows - 1) / block_rows, rows, write);
}

}  // namespace alsbench
