// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/files/atomic_file.h"
#include "harness/record/escape.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,+-%e") == std::string::npos;
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

std::string TextTable::text() const {
  std::vector<size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column)
      line += is_number(row[column]) ? fmt::format("{:>{}}  ", row[column], widths[column])
                                     : fmt::format("{:<{}}  ", row[column], widths[column]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

bool use_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') &&
         isatty(stream == stderr ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

}  // namespace alsbench
