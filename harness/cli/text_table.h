// SPDX-License-Identifier: Apache-2.0
// TextTable, and lines of text, in the width of the terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace alsbench {

// Lines as wide as the terminal that stdout is: a longer line goes on below, indented by `hang`
// blanks, or four more than the line itself. Unchanged where stdout is no terminal.
std::string fitting(const std::string& text, std::optional<size_t> hang = std::nullopt);

// Columns as wide as their longest cell, two blanks apart; numbers to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void add(std::vector<std::string> row);
  // Of `width` columns at most where that is known: long cells go on in lines below, or, where that
  // does not suffice, stand in lines of their own below their row.
  std::string text(std::optional<size_t> width) const;
  std::string text() const;  // of the width of the terminal that stdout is

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace alsbench
