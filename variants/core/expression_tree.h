// SPDX-License-Identifier: Apache-2.0
// The parsed form of conditions and expressions (expression.h has their grammar).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

// An operator or a function over its operands, or a number, a text or a name.
struct ExpressionNode {
  enum class Kind { logic, calculation, number, text, name };
  Kind kind = Kind::number;
  std::string word;  // the operator, the text or the name
  double number = 0;
  std::vector<ExpressionNode> operands = {};
};

struct ExpressionTree {
  ExpressionNode root;
  std::vector<std::string> names;  // in it, each once
};

// Kinds of texts: a condition holds or not, another expression is a number.
enum class Ends { condition, number };

// Throws UsageError quoting the text, with the column and what is wrong there.
ExpressionTree parse_expression(std::string_view text, Ends ends);

// The whole text as a number, or nothing.
std::optional<double> number_in(std::string_view text);

}  // namespace alsbench
