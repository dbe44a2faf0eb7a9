// SPDX-License-Identifier: Apache-2.0
// A regular expression of ECMAScript. Only regular_expression.cpp includes <regex>: compiling that
// takes three seconds, and with sanitizers six.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alsbench {

// Searching takes a time that is polynomial in the text's length, and bounded memory: the
// expression knows no back references.
class RegularExpression {
 public:
  enum class Groups { none, kept };

  // Throws std::runtime_error that says why `text` is none.
  explicit RegularExpression(const std::string& text = "", Groups groups = Groups::none);

  bool matches(const std::string& text) const;  // all of it
  bool begins(const std::string& text) const;   // some beginning of it
  bool found_in(const std::string& text) const;
  // The groups of the first part that matches, empty where one took no part; null where no part
  // does. Those of an expression without Groups::kept are none.
  std::optional<std::vector<std::string>> groups_in(const std::string& text) const;
  size_t group_count() const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace alsbench
