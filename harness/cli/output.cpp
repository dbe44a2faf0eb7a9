// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/cli/progress/progress_report.h"
#include "harness/files/atomic_file.h"
#include "harness/record/escape.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,+-%e") == std::string::npos;
}

constexpr size_t kNarrowest = 12;  // columns become no narrower
constexpr size_t kGap = 2;         // between columns

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

// A line in lines of at most `width` bytes.
std::string fitting_line(const std::string& line, size_t width) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size()) + 4;
  if (line.size() <= width || width < indent + kNarrowest) return line + "\n";
  const size_t cut = cut_of(line, width);
  std::string text = trimmed(line.substr(0, cut)) + "\n";
  for (const std::string& piece : pieces_of(line.substr(cut), width - indent))
    text += std::string(indent, ' ') + trimmed(piece) + "\n";
  return text;
}

}  // namespace

void writes_output(FilePlan& plan, const OutputOptions& options) {
  plan.writes_or_prints(options.json, "--json");
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  command.add_option("--json", options.json, "Write JSON to this file; stdout when left out")
      ->expected(0, 1)
      ->default_str(kStdout)
      ->type_name("F");
  command.add_flag("-q,--quiet", options.quiet, "No notes on stderr");
}

void write_text(const std::string& target, const std::string& text) {
  if (target.empty()) return;
  if (target == kStdout)
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
  else
    write_file_atomically(target, text);
}

void write_json(const std::string& target, const nlohmann::ordered_json& json) {
  write_text(target, text_of(json));
}

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  for (std::string& cell : row) cell = visible(cell);  // names may hold escapes of a terminal
  rows_.push_back(std::move(row));
}

std::vector<size_t> TextTable::widths(std::optional<size_t> most) const {
  std::vector<size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  const size_t gaps = kGap * (widths.size() - 1);
  while (most && std::accumulate(widths.begin(), widths.end(), gaps) > *most) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) break;
    --*widest;
  }
  return widths;
}

std::string TextTable::text(std::optional<size_t> width) const {
  const std::vector<size_t> widths = this->widths(width);
  std::string text;
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> cells;
    size_t lines = 1;
    for (size_t column = 0; column < row.size(); ++column) {
      cells.push_back(pieces_of(row[column], std::max<size_t>(1, widths[column])));
      lines = std::max(lines, cells.back().size());
    }
    for (size_t i = 0; i < lines; ++i) {
      std::string line;
      for (size_t column = 0; column < row.size(); ++column) {
        const std::string cell = i < cells[column].size() ? cells[column][i] : "";
        line += is_number(row[column]) ? fmt::format("{:>{}}  ", cell, widths[column])
                                       : fmt::format("{:<{}}  ", cell, widths[column]);
      }
      text += trimmed(line) + "\n";
    }
  }
  return text;
}

std::string TextTable::text() const { return text(terminal_width(stdout)); }

void print_fitting(const std::string& text) {
  const std::optional<size_t> width = terminal_width(stdout);
  if (!width) return static_cast<void>(fmt::print("{}", text));
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    fmt::print("{}", fitting_line(text.substr(begin, end - begin), *width));
    begin = end + 1;
  }
}

bool use_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') &&
         isatty(stream == stderr ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

}  // namespace alsbench
