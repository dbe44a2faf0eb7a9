// SPDX-License-Identifier: Apache-2.0
// Config: one point of a variant's parameter space. Its canonical text,
// `gather=strided,l1=on,tile=10`, identifies it in file names, JSON and the tuning database.
// Parameters are in the order of their space.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alsbench {

class Config {
 public:
  Config() = default;
  explicit Config(std::vector<std::pair<std::string, std::string>> entries)
      : entries_(std::move(entries)) {}

  // The value of a parameter; throws std::out_of_range naming it when absent (a defect of the
  // caller).
  const std::string& get(std::string_view name) const;
  std::string get_or(std::string_view name, std::string_view fallback) const;
  int integer(std::string_view name) const;
  double number(std::string_view name) const;
  bool is(std::string_view name, std::string_view value) const {
    return has(name) && get(name) == value;
  }
  bool has(std::string_view name) const;

  void set(std::string_view name, std::string_view value);  // one value replaced or appended
  Config with(std::string_view name, std::string_view value) const;  // a copy with that
  std::string text() const;  // canonical; "" for the empty configuration
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }
  friend bool operator==(const Config&, const Config&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace alsbench
