// SPDX-License-Identifier: Apache-2.0
// ReferenceCache: values of one problem that configurations share, because making them costs more
// than a launch: references of checks, models of traffic.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace alsbench {

// Serves fixtures of one problem and seed; not for two threads at a time.
class ReferenceCache {
 public:
  // `sampled`: rows to check of a problem that is too large for all of them. `draw`: the rows are
  // `sampled` random ones of this draw, of any problem.
  explicit ReferenceCache(int64_t sampled = 64, std::optional<uint64_t> draw = std::nullopt)
      : sampled_(sampled), draw_(draw) {}
  int64_t sampled() const { return sampled_; }
  std::optional<uint64_t> draw() const { return draw_; }
  // Returns what `make` returned when `key` was first asked for. One key has one type.
  template <class T, class Make>
  const T& get(const std::string& key, const Make& make) {
    std::any& kept = kept_[key];
    if (!kept.has_value()) kept = T(make());
    return std::any_cast<const T&>(kept);
  }
  void clear() { kept_.clear(); }

 private:
  int64_t sampled_;
  std::optional<uint64_t> draw_;
  std::map<std::string, std::any> kept_;
};

}  // namespace alsbench
