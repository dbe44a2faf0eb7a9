// SPDX-License-Identifier: Apache-2.0
// What commands share in their output: the options --json and --quiet, JSON to a file or stdout,
// plain text tables, colour.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/files/file_plan.h"

namespace CLI {
class App;
}

namespace alsbench {

struct OutputOptions {
  std::string json;    // file or "stdout"; empty: none
  bool quiet = false;  // no notes on stderr

  bool json_on_stdout() const { return json == kStdout; }
};

// Tells the plan what --json names.
void writes_output(FilePlan& plan, const OutputOptions& options);

// Adds --json [F] (stdout when F is left out) and -q/--quiet.
void add_output_options(CLI::App& command, OutputOptions& options);

// Writes to stdout, where `target` is kStdout, or whole or not at all to that file; nothing where
// it is empty. Throws EnvironmentError when the file cannot be written; what stdout loses,
// flush_output() tells.
void write_text(const std::string& target, const std::string& text);
// The same of indented JSON.
void write_json(const std::string& target, const nlohmann::ordered_json& json);

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

// Colour only on a terminal and without NO_COLOR.
bool use_color(std::FILE* stream);

}  // namespace alsbench
