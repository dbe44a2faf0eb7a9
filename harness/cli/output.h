// SPDX-License-Identifier: Apache-2.0
// Output options shared by all commands, by one rule; --quiet; text to a file or stdout; colour;
// standard streams that may be closed, full or without a reader.
#pragma once

#include <cstdio>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cli/app.h"
#include "harness/files/file_plan.h"

namespace alsbench {

struct OutputOptions {
  std::string json;    // file or "stdout"; empty: none
  bool quiet = false;  // no notes on stderr

  bool json_on_stdout() const { return json == kStdout; }
};

// Tells the plan what --json names.
void writes_output(FilePlan& plan, const OutputOptions& options);

// Every command's flag for its output: a file F, or a folder DIR of several files.
inline constexpr const char* kOutFlags = "-o,--out";

// Adds --out DIR, whose default is what `folder` is.
void add_folder_option(CLI::App& command, std::filesystem::path& folder, const char* description);

// Adds an option such as --json [F]: the result in another form, in a file. Without F it goes to
// stdout in place of the table.
CLI::Option* add_form_option(CLI::App& command, const char* flag, std::string& target,
                             const char* form);

// Adds -q/--quiet.
void add_quiet_option(CLI::App& command, bool& quiet);

// Adds --json [F] and -q/--quiet.
void add_output_options(CLI::App& command, OutputOptions& options);

// Writes to stdout, where `target` is kStdout, or whole or not at all to that file; nothing where
// it is empty. Throws EnvironmentError when the file cannot be written; what stdout loses,
// flush_output() tells.
void write_text(const std::string& target, const std::string& text);
// The same of indented JSON.
void write_json(const std::string& target, const nlohmann::ordered_json& json);

// Colour only on a terminal and without NO_COLOR.
bool use_color(std::FILE* stream);

// Opens those of the three standard streams that are closed, so no file takes their place.
void secure_standard_streams();

// The message where output did not reach standard output. Where that is a pipe whose reader has
// gone, such as `head`, it ends the process in silence as other programs end: by SIGPIPE.
const char* lost_output();
// Throws EnvironmentError with that where anything that was printed so far did not reach standard
// output.
void flush_output();

}  // namespace alsbench
