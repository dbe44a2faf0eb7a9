// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/cli/progress/progress_report.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

// Whether a cell ends with a mark that refers to a note below the table.
bool has_mark(const std::string& cell) { return cell.ends_with('!') || cell.ends_with('*'); }

// "12.5", "3 %", "1.05x", "12!"
bool is_number(const std::string& cell) {
  std::string_view text = cell;
  if (has_mark(cell) || cell.ends_with('x')) text.remove_suffix(1);
  return !text.empty() && text.find_first_not_of("0123456789.,+-% e") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

constexpr size_t kNarrowest = 20;  // columns become no narrower
constexpr size_t kGap = 2;         // between columns
constexpr size_t kIndent = 4;      // of what goes on below

using Row = std::vector<std::string>;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

// Where to cut a text that is longer than `width`: after the last of the marks that names and
// sentences have, else between characters.
size_t cut_of(const std::string& text, size_t width) {
  const size_t mark = text.find_last_of(" ,;/|", width - 1);
  if (mark != std::string::npos && mark >= width / 3) return mark + 1;
  size_t cut = width;
  while (cut > 1 && continues_character(text[cut])) --cut;
  return cut;
}

// The text in pieces of at most `width` bytes.
std::vector<std::string> pieces_of(std::string text, size_t width) {
  std::vector<std::string> pieces;
  while (text.size() > width) {
    const size_t cut = cut_of(text, width);
    pieces.push_back(text.substr(0, cut));
    text.erase(0, std::min(text.find_first_not_of(' ', cut), text.size()));
  }
  pieces.push_back(std::move(text));
  return pieces;
}

std::string trimmed(std::string line) { return line.erase(line.find_last_not_of(' ') + 1); }

// A line in lines of at most `width` bytes; those after the first are indented by `hanging_indent`.
std::string wrapped_line(const std::string& line, size_t width,
                         std::optional<size_t> hanging_indent) {
  const size_t indent =
      hanging_indent.value_or(std::min(line.find_first_not_of(' '), line.size()) + kIndent);
  if (line.size() <= width || width < indent + kNarrowest) return line + "\n";
  const size_t cut = cut_of(line, width);
  std::string text = trimmed(line.substr(0, cut)) + "\n";
  for (const std::string& piece : pieces_of(line.substr(cut), width - indent))
    text += std::string(indent, ' ') + trimmed(piece) + "\n";
  return text;
}

size_t width_of(const std::vector<size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), size_t{0}) +
         kGap * (std::max<size_t>(1, widths.size()) - 1);
}

// The longest cell of each column; where these are wider than `maximum`, the widest made narrower.
std::vector<size_t> widths_of(const std::vector<Row>& rows, std::optional<size_t> maximum) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  while (maximum && width_of(widths) > *maximum) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) break;
    --*widest;
  }
  return widths;
}

// A row of these widths; longer cells go on in lines below.
std::string row_text(const Row& row, const std::vector<size_t>& widths) {
  std::vector<Row> cells;
  size_t lines = 1;
  for (size_t column = 0; column < row.size(); ++column) {
    cells.push_back(pieces_of(row[column], std::max<size_t>(1, widths[column])));
    lines = std::max(lines, cells.back().size());
  }
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      const std::string cell = i < cells[column].size() ? cells[column][i] : "";
      line += is_number(row[column]) ? fmt::format("{:>{}}  ", cell, widths[column])
                                     : fmt::format("{:<{}}  ", cell, widths[column]);
    }
    text += trimmed(line) + "\n";
  }
  return text;
}

// Names of columns of numbers end where the numbers do; marks stand behind them.
std::vector<Row> aligned(std::vector<Row> rows) {
  for (size_t column = 0; column < rows.front().size(); ++column) {
    size_t numbers = 0, texts = 0;  // the longest of each
    bool marks = false;
    for (size_t i = 1; i < rows.size(); ++i)
      marks = marks || (is_number(rows[i][column]) && has_mark(rows[i][column]));
    for (size_t i = 1; i < rows.size(); ++i) {
      std::string& cell = rows[i][column];
      const bool number = is_number(cell);
      if (marks && number && !has_mark(cell)) cell += ' ';
      size_t& longest = number ? numbers : texts;
      longest = std::max(longest, cell.size());
    }
    std::string& name = rows.front()[column];
    if (!name.empty() && numbers > std::max(texts, name.size()))
      name.insert(0, numbers - name.size(), ' ');
  }
  return rows;
}

// Columns that stay in the line of their row where not all have room: the first ones that are not
// long.
std::vector<size_t> kept_columns(const std::vector<size_t>& widths, size_t maximum) {
  std::vector<size_t> kept, kept_widths;
  for (size_t column = 0; column < widths.size(); ++column) {
    if (widths[column] > kNarrowest) continue;
    kept_widths.push_back(widths[column]);
    if (width_of(kept_widths) > maximum) break;
    kept.push_back(column);
  }
  return kept;
}

// A cell with its column's name, where that has one.
std::string named_cell(const std::string& name, const std::string& cell) {
  if (name.empty()) return trimmed(cell);
  return name.substr(name.find_first_not_of(' ')) + ": " + trimmed(cell);
}

// Rows of the columns that are kept; the other cells below their row, short ones in one line.
std::string stacked_text(const std::vector<Row>& rows, size_t maximum) {
  const std::vector<size_t> widths = widths_of(rows, std::nullopt);
  const std::vector<size_t> kept = kept_columns(widths, maximum);
  const Row& names = rows.front();
  std::vector<size_t> kept_widths;
  for (const size_t column : kept) kept_widths.push_back(widths[column]);
  std::string text;
  for (const Row& row : rows) {
    Row cells;
    std::string brief, long_ones;
    for (const size_t column : kept) cells.push_back(row[column]);
    text += row_text(cells, kept_widths);
    if (&row == &names) continue;
    const auto indented = [&](const std::string& line) {
      return wrapped_line(std::string(kIndent, ' ') + line, maximum, 2 * kIndent);
    };
    for (size_t column = 0; column < row.size(); ++column) {
      if (row[column].empty() || std::find(kept.begin(), kept.end(), column) != kept.end())
        continue;
      const std::string cell = named_cell(names[column], row[column]);
      if (widths[column] > kNarrowest)
        long_ones += indented(cell);
      else
        brief += (brief.empty() ? "" : "; ") + cell;
    }
    if (!brief.empty()) text += indented(brief);
    text += long_ones;
  }
  return text;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  for (std::string& cell : row) cell = visible(cell);  // names may hold escapes of a terminal
  rows_.push_back(std::move(row));
}

void TextTable::drop_empty_columns() {
  for (size_t column = rows_.front().size(); column-- > 0;) {
    const auto empty = [&](const Row& row) { return row[column].empty(); };
    if (!std::all_of(rows_.begin() + 1, rows_.end(), empty)) continue;
    for (Row& row : rows_) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

std::string TextTable::text(std::optional<size_t> width) const {
  const std::vector<Row> rows = aligned(rows_);
  const std::vector<size_t> widths = widths_of(rows, width);
  if (width && width_of(widths) > *width) return stacked_text(rows, *width);
  std::string text;
  for (const Row& row : rows) text += row_text(row, widths);
  return text;
}

std::string TextTable::text() const { return text(terminal_width(stdout)); }

std::string wrapped_to(size_t width, const std::string& text,
                       std::optional<size_t> hanging_indent) {
  std::string lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines += wrapped_line(text.substr(begin, end - begin), width, hanging_indent);
    begin = end + 1;
  }
  return lines;
}

std::string wrapped_to_terminal(const std::string& text, std::optional<size_t> hanging_indent) {
  const std::optional<size_t> width = terminal_width(stdout);
  return width ? wrapped_to(*width, text, hanging_indent) : text;
}

}  // namespace alsbench
