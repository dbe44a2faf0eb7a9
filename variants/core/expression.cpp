// SPDX-License-Identifier: Apache-2.0
#include "variants/core/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "base/error.h"
#include "base/suggestion.h"
#include "variants/core/expression_tree.h"

namespace alsbench {
namespace {

using Node = ExpressionNode;

// A value that a parameter of the configuration has a part in is bound: a name next to it that is
// no parameter stands for itself.
struct Quantity {
  std::variant<double, std::string> is;
  bool bound = false;
};

class Calculation {
 public:
  Calculation(const char* kind, const std::string& text, const Config& config)
      : kind_(kind), text_(text), config_(config) {}

  // Nothing where it depends on a parameter that the configuration lacks.
  std::optional<bool> truth(const Node& node) const {
    if (node.word == "True" || node.word == "False") return node.word == "True";
    if (node.word == "not") {
      const auto operand = truth(node.operands[0]);
      return operand ? std::optional(!*operand) : std::nullopt;
    }
    if (node.word != "and" && node.word != "or") return compared(node);
    const bool decides = node.word == "or";
    const auto left = truth(node.operands[0]);
    if (left == decides) return left;
    const auto right = truth(node.operands[1]);
    if (right == decides) return right;
    return left && right ? left : std::nullopt;
  }

  // Nothing where it has a name that is no parameter of the configuration.
  std::optional<Quantity> value(const Node& node) const {
    if (node.kind == Node::Kind::number) return Quantity{node.number};
    if (node.kind == Node::Kind::text) return of_text(node.word, false);
    if (node.kind == Node::Kind::name) {
      if (!config_.has(node.word)) return std::nullopt;
      return of_text(config_.get(node.word), true);
    }
    const auto left = value(node.operands[0]), right = value(node.operands[1]);
    if (!left || !right) return std::nullopt;
    return Quantity{calculated(node.word, number(*left), number(*right)),
                    left->bound || right->bound};
  }

  double number(const Quantity& value) const {
    if (const double* number = std::get_if<double>(&value.is)) return *number;
    fail(fmt::format("'{}' is no number", std::get<std::string>(value.is)));
  }

 private:
  // '4' is the number that the value 4 of a parameter is, quoted there or not.
  static Quantity of_text(const std::string& text, bool bound) {
    if (const auto number = number_in(text)) return {*number, bound};
    return {text, bound};
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UsageError(fmt::format("{} '{}': {} in {}", kind_, text_, why, config_.text()));
  }

  std::optional<bool> compared(const Node& node) const {
    auto left = value(node.operands[0]), right = value(node.operands[1]);
    if (left && left->bound && !right) right = itself(node.operands[1]);
    if (right && right->bound && !left) left = itself(node.operands[0]);
    if (!left || !right) return std::nullopt;
    if (node.word == "==") return left->is == right->is;
    if (node.word == "!=") return left->is != right->is;
    const double a = number(*left), b = number(*right);
    if (node.word == "<=") return a <= b;
    if (node.word == ">=") return a >= b;
    return node.word == "<" ? a < b : a > b;
  }

  static std::optional<Quantity> itself(const Node& node) {
    if (node.kind != Node::Kind::name) return std::nullopt;
    return Quantity{node.word};
  }

  // As Python's: // and % go down.
  double calculated(const std::string& sign, double a, double b) const {
    if (sign == "+") return a + b;
    if (sign == "-") return a - b;
    if (sign == "*") return a * b;
    if (sign == "min") return std::min(a, b);
    if (sign == "max") return std::max(a, b);
    if (b == 0) fail("a divisor is 0");
    if (sign == "/") return a / b;
    const double quotient = std::floor(a / b);
    return sign == "//" ? quotient : a - quotient * b;
  }

  const char* kind_;
  const std::string& text_;
  const Config& config_;
};

}  // namespace

Condition::Condition(std::string_view text)
    : text_(text),
      tree_(std::make_shared<const ExpressionTree>(parse_expression(text_, Ends::condition))) {}

bool Condition::holds(const Config& config) const {
  return Calculation("condition", text_, config).truth(tree_->root).value_or(true);
}

const std::vector<std::string>& Condition::names() const { return tree_->names; }

Expression::Expression(std::string_view text)
    : text_(text),
      tree_(std::make_shared<const ExpressionTree>(parse_expression(text_, Ends::number))) {}

double Expression::value(const Config& config) const {
  const Calculation calculation("expression", text_, config);
  const auto quantity = calculation.value(tree_->root);
  if (quantity) return calculation.number(*quantity);
  std::vector<std::string> known;
  for (const auto& [name, value] : config.entries()) known.push_back(name);
  for (const std::string& name : names())
    if (!config.has(name))
      throw UsageError(
          fmt::format("expression '{}': {}", text_, unknown_name("name", name, known)));
  throw UsageError(fmt::format("expression '{}': is no number", text_));
}

const std::vector<std::string>& Expression::names() const { return tree_->names; }

}  // namespace alsbench
