// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/cpp_namespace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace alsbench {
namespace {

// Of C++20, with its alternative tokens, in the order of their letters.
constexpr std::array<std::string_view, 92> kKeywords{
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq"};

// Why one name of the namespace cannot be used; empty where it can.
std::string name_problem(const std::string& name) {
  if (std::binary_search(kKeywords.begin(), kKeywords.end(), name)) return "is a keyword of C++";
  if (name == "std") return "belongs to the standard library";
  if (name.front() == '_' || name.find("__") != std::string::npos)
    return "is reserved: it begins with '_' or holds '__'";
  return "";
}

}  // namespace

std::string namespace_problem(const std::string& text) {
  constexpr std::string_view kRemedy = "give a C++ namespace, such as tuned or mine::rank64";
  static const std::regex kNames("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*");
  static const std::regex kName("[A-Za-z0-9_]+");
  if (!std::regex_match(text, kNames)) return fmt::format("'{}': {}", text, kRemedy);
  for (std::sregex_iterator name(text.begin(), text.end(), kName), end; name != end; ++name)
    if (const std::string problem = name_problem(name->str()); !problem.empty())
      return fmt::format("'{}': '{}' {}; {}", text, name->str(), problem, kRemedy);
  return "";
}

}  // namespace alsbench
