// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/output.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/files/atomic_file.h"
#include "harness/record/json.h"

namespace alsbench {

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

bool use_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') &&
         isatty(stream == stderr ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

}  // namespace alsbench
