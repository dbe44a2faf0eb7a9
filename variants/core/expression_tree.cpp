// SPDX-License-Identifier: Apache-2.0
#include "variants/core/expression_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"

namespace alsbench {
namespace {

using Node = ExpressionNode;

constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", ">=", "<", ">"};
// Longer ones first: "<=" must not be read as "<".
constexpr std::array<std::string_view, 18> kSymbols{
    "==", "!=", "<=", ">=", "//", "**", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ","};
constexpr int kDeepest = 100;
constexpr size_t kMaxNodes = 1000;  // each of them costs time at each point

// Operands are moved: a braced list would copy all that is below them.
Node node_of(Node::Kind kind, std::string word, Node left) {
  Node node{kind, std::move(word)};
  node.operands.push_back(std::move(left));
  return node;
}
Node node_of(Node::Kind kind, std::string word, Node left, Node right) {
  Node node = node_of(kind, std::move(word), std::move(left));
  node.operands.push_back(std::move(right));
  return node;
}

size_t size_of(const Node& node) {
  size_t size = 1;
  for (const Node& operand : node.operands) size += size_of(operand);
  return size;
}

bool begins_name(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) || letter == '_';
}

class Parser {
 public:
  Parser(std::string_view text, Ends ends) : text_(text), ends_(ends) { advance(); }

  Node parse() {
    Node root = ends_ == Ends::condition ? logic(either()) : value(sum());
    if (!token_.empty()) fail("is not expected here");
    return root;
  }
  std::vector<std::string> names;

 private:
  const char* kind() const { return ends_ == Ends::condition ? "condition" : "expression"; }

  [[noreturn]] void fail(const std::string& why) const {
    const bool condition = ends_ == Ends::condition;
    throw UsageError(fmt::format("{} '{}': column {}: {} {}; write e.g. {}", kind(), text_,
                                 begin_ + 1,
                                 token_.empty() ? "the end" : fmt::format("'{}'", token_), why,
                                 condition ? "a * b <= 1024" : "(rows + tile - 1) // tile"));
  }

  size_t end_of_token() const {
    const auto run = [&](const auto& belongs) {
      size_t end = begin_;
      while (end < text_.size() && belongs(text_[end])) ++end;
      return end;
    };
    const auto in_name = [](char c) { return begins_name(c) || (c >= '0' && c <= '9'); };
    if (begins_name(text_[begin_])) return run(in_name);
    if ((text_[begin_] >= '0' && text_[begin_] <= '9') || text_[begin_] == '.')
      return run([&](char c) { return in_name(c) || c == '.'; });
    if (text_[begin_] == '\'' || text_[begin_] == '"') {
      const size_t end = text_.find(text_[begin_], begin_ + 1);
      return end == std::string_view::npos ? end : end + 1;
    }
    for (const std::string_view symbol : kSymbols)
      if (text_.substr(begin_).starts_with(symbol)) return begin_ + symbol.size();
    return std::string_view::npos;
  }

  // Every token is a node at most, and operands that are written once are copied.
  void count(size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > kMaxNodes)
      throw UsageError(fmt::format(
          "{} '{}...': has more than {} names, numbers and operators; write a shorter one", kind(),
          text_.substr(0, 60), kMaxNodes));
  }

  void advance() {
    count(1);
    begin_ = std::min(text_.find_first_not_of(" \t\r\n", end_), text_.size());
    token_ = {};
    if (begin_ == text_.size()) return;
    end_ = end_of_token();
    token_ = text_.substr(begin_, end_ - begin_);
    if (end_ == std::string_view::npos)
      fail(fmt::format("is not closed, or no symbol of {} {}",
                       ends_ == Ends::condition ? "a" : "an", kind()));
  }

  bool take(std::string_view token) {
    if (token_ != token) return false;
    advance();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("is not expected here, but '{}'", token));
  }

  // A value is no condition where one is needed: "tile * 2" is not.
  Node logic(Node node) const {
    if (node.kind != Node::Kind::logic) fail("ends what has no comparison");
    return node;
  }
  // A condition is no value: "(a < b) + 1" is not.
  Node value(Node node) const {
    if (node.kind == Node::Kind::logic) fail("follows a condition where a value is expected");
    return node;
  }

  Node either() {
    Node node = both();
    while (take("or")) {
      node = logic(std::move(node));
      node = node_of(Node::Kind::logic, "or", std::move(node), logic(both()));
    }
    return node;
  }
  Node both() {
    Node node = negation();
    while (take("and")) {
      node = logic(std::move(node));
      node = node_of(Node::Kind::logic, "and", std::move(node), logic(negation()));
    }
    return node;
  }
  Node negation() {
    if (!take("not")) return comparison();
    return node_of(Node::Kind::logic, "not", logic(nested([&] { return negation(); })));
  }

  // "a < b <= c" is "a < b and b <= c".
  Node comparison() {
    Node left = sum();
    if (token_ == "not" || token_ == "in") return membership(value(std::move(left)));
    std::optional<Node> chain;
    while (std::find(kComparisons.begin(), kComparisons.end(), token_) != kComparisons.end()) {
      const std::string sign(token_);
      advance();
      Node right = value(sum());
      count(size_of(right));
      Node link = node_of(Node::Kind::logic, sign, value(std::move(left)), right);
      if (chain)
        chain = node_of(Node::Kind::logic, "and", *std::move(chain), std::move(link));
      else
        chain = std::move(link);
      left = std::move(right);
    }
    return chain ? *std::move(chain) : left;
  }

  // "a in [1, 2]" is "a == 1 or a == 2".
  Node membership(const Node& left) {
    const bool negated = take("not");
    expect("in");
    const std::string_view close = token_ == "(" ? ")" : "]";
    if (!take("(")) expect("[");
    std::optional<Node> list;
    do {
      count(size_of(left));
      Node equal = node_of(Node::Kind::logic, "==", left, value(sum()));
      if (list)
        list = node_of(Node::Kind::logic, "or", *std::move(list), std::move(equal));
      else
        list = std::move(equal);
    } while (take(","));
    expect(close);
    if (!negated) return *std::move(list);
    return node_of(Node::Kind::logic, "not", *std::move(list));
  }

  Node sum() {
    Node node = product();
    while (token_ == "+" || token_ == "-") node = calculation(std::move(node), &Parser::product);
    return node;
  }
  Node product() {
    Node node = factor();
    while (token_ == "*" || token_ == "/" || token_ == "//" || token_ == "%")
      node = calculation(std::move(node), &Parser::factor);
    return node;
  }
  Node calculation(Node left, Node (Parser::*next)()) {
    const std::string sign(token_);
    left = value(std::move(left));
    advance();
    return node_of(Node::Kind::calculation, sign, std::move(left), value((this->*next)()));
  }

  Node factor() {
    if (take("-"))
      return node_of(Node::Kind::calculation, "-", Node(), value(nested([&] { return factor(); })));
    if (take("(")) {
      Node node = nested([&] { return either(); });
      expect(")");
      return node;
    }
    return operand();
  }

  Node operand() {
    const std::string word(token_);
    const char first = word.empty() ? '\0' : word[0];
    if (word == "or" || word == "and" || word == "not" || word == "in")
      fail("is expected between values");
    Node node;
    if (first == '\'' || first == '"') {
      node = {Node::Kind::text, word.substr(1, word.size() - 2)};
    } else if (word == "True" || word == "False") {
      node = {Node::Kind::logic, word};
    } else if (word == "min" || word == "max") {
      return function(word);
    } else if (begins_name(first)) {
      node = {Node::Kind::name, word};
      if (std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
    } else if (const auto number = number_in(word)) {
      node = {Node::Kind::number, word, *number};
    } else {
      fail("is no number, name or text in quotes");
    }
    advance();
    return node;
  }

  Node function(const std::string& name) {
    advance();
    expect("(");
    Node left = value(nested([&] { return sum(); }));
    expect(",");
    Node right = value(nested([&] { return sum(); }));
    expect(")");
    return node_of(Node::Kind::calculation, name, std::move(left), std::move(right));
  }

  template <class Parse>
  Node nested(const Parse& parse) {
    if (++depth_ > kDeepest) fail("is nested too deep");
    Node node = parse();
    --depth_;
    return node;
  }

  std::string_view text_, token_;
  Ends ends_;
  size_t begin_ = 0, end_ = 0;
  size_t nodes_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;  // "nan" and "inf" are words
  return value;
}

ExpressionTree parse_expression(std::string_view text, Ends ends) {
  Parser parser(text, ends);
  ExpressionTree tree{parser.parse(), {}};
  tree.names = std::move(parser.names);
  return tree;
}

}  // namespace alsbench
