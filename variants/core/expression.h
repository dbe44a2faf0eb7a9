// SPDX-License-Identifier: Apache-2.0
// Condition: what points of a search space must satisfy, as space files have it. Expression: a
// number made of sizes and parameters. Both are in Python's grammar, as kernel_tuner's T1 format
// takes them: `tile * threads <= 1280 and l1 == on`, `(rows + tile - 1) // tile`.
//
//   condition  = conjunct {"or" conjunct}
//   conjunct   = negation {"and" negation}
//   negation   = "not" negation | comparison
//   comparison = sum {("==" | "!=" | "<=" | ">=" | "<" | ">") sum} | sum ["not"] "in" list
//   sum        = product {("+" | "-") product}
//   product    = factor {("*" | "/" | "//" | "%") factor}
//   factor     = ["-"] (number | name | "'text'" | function | "(" condition ")")
//   function   = ("min" | "max") "(" sum "," sum ")"
//   list       = ("[" | "(") sum {"," sum} ("]" | ")")
//   expression = sum
//
// A name is a parameter or a size, or a value of one that is a word. "True" and "False" are
// conditions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "variants/core/config.h"

namespace alsbench {

struct ExpressionTree;

class Condition {
 public:
  // Throws UsageError quoting the text, with the column and what is wrong there.
  explicit Condition(std::string_view text);

  // Whether it holds, also where that depends on a parameter that the configuration lacks. Throws
  // UsageError where a word is calculated with, or a divisor is 0.
  bool holds(const Config& config) const;
  const std::string& text() const { return text_; }
  // The names in it, each once.
  const std::vector<std::string>& names() const;

 private:
  std::string text_;
  std::shared_ptr<const ExpressionTree> tree_;
};

class Expression {
 public:
  // Throws as a condition does.
  explicit Expression(std::string_view text);

  // Its value where the names have those of the configuration. Throws UsageError where one is
  // unknown or a word, or where a divisor is 0.
  double value(const Config& config) const;
  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const;

 private:
  std::string text_;
  std::shared_ptr<const ExpressionTree> tree_;
};

}  // namespace alsbench
