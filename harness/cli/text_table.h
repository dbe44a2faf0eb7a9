// SPDX-License-Identifier: Apache-2.0
// TextTable, and lines of text, in the width of the terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace alsbench {

// Wraps lines to `width` bytes. A continuation line is indented by `hanging_indent` blanks, or by
// four more than the line itself.
std::string wrapped_to(size_t width, const std::string& text,
                       std::optional<size_t> hanging_indent = std::nullopt);
// The same to the width of the terminal. Unchanged where stdout is no terminal.
std::string wrapped_to_terminal(const std::string& text,
                                std::optional<size_t> hanging_indent = std::nullopt);

// Columns as wide as their longest cell, two blanks apart; numbers, and the names of
// their columns, to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void add(std::vector<std::string> row);
  void drop_empty_columns();  // those that no row has a cell of
  // Uses at most `width` columns, where that is known. Long cells are wrapped. Where that does not
  // suffice, cells get lines of their own below their row.
  std::string text(std::optional<size_t> width) const;
  std::string text() const;  // of the width of the terminal that stdout is

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace alsbench
