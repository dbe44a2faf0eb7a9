// SPDX-License-Identifier: Apache-2.0
// NamedMemory: names what a thread's buffers are for that are taken while it lives; the innermost
// counts. A PlannedDevice adds them up by name.
#pragma once

#include <string_view>
#include <utility>

namespace alsbench {

class NamedMemory {
 public:
  explicit NamedMemory(std::string_view name) : before_(std::exchange(current(), name)) {}
  ~NamedMemory() { current() = before_; }
  NamedMemory(const NamedMemory&) = delete;
  NamedMemory& operator=(const NamedMemory&) = delete;

  static std::string_view name() { return current(); }

 private:
  static std::string_view& current() {
    thread_local std::string_view name = "other";
    return name;
  }

  std::string_view before_;
};

}  // namespace alsbench
