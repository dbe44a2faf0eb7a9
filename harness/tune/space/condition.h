// SPDX-License-Identifier: Apache-2.0
// Condition: what points of a search space must satisfy, as space files have it. An expression in
// Python's grammar, as kernel_tuner's T1 format takes them: `tile * threads <= 1280 and l1 == on`.
//
//   condition  = conjunct {"or" conjunct}
//   conjunct   = negation {"and" negation}
//   negation   = "not" negation | comparison
//   comparison = sum {("==" | "!=" | "<=" | ">=" | "<" | ">") sum} | sum ["not"] "in" list
//   sum        = product {("+" | "-") product}
//   product    = factor {("*" | "/" | "//" | "%") factor}
//   factor     = ["-"] (number | name | "'text'" | "(" condition ")")
//   list       = ("[" | "(") sum {"," sum} ("]" | ")")
//
// A name is a parameter, or a value of one that is a word. "True" and "False" are conditions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "variants/core/config.h"

namespace alsbench {

struct ConditionNode;

class Condition {
 public:
  // Throws UsageError quoting the text, with the column and what is wrong there.
  explicit Condition(std::string_view text);

  // Whether it holds, also where that depends on a parameter that the configuration lacks. Throws
  // UsageError where a word is calculated with, or a divisor is 0.
  bool holds(const Config& config) const;
  const std::string& text() const { return text_; }
  // The names in it, each once.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const ConditionNode> root_;
};

}  // namespace alsbench
