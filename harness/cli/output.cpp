// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harness/cli/validators.h"
#include "harness/files/atomic_file.h"
#include "harness/record/json.h"

namespace alsbench {

void writes_output(FilePlan& plan, const OutputOptions& options) {
  plan.writes_or_prints(options.json, "--json", content::kJson);
}

void add_folder_option(CLI::App& command, std::filesystem::path& folder, const char* description) {
  command.add_option(kOutFlags, folder, description)
      ->default_str(folder.string())
      ->type_name("DIR");
}

CLI::Option* add_form_option(CLI::App& command, const char* flag, std::string& target,
                             const char* form) {
  const auto set = [&target, flag](const std::string& text) {
    // CLI11 checks no empty value where there may be none.
    if (const std::string objection = not_empty()(text); !objection.empty())
      throw CLI::ValidationError(flag, objection);
    target = text;
  };
  return command
      .add_option_function<std::string>(
          flag, set, fmt::format("Write {} to this file, or to stdout without a name", form))
      ->expected(0, 1)
      ->default_str(kStdout)
      ->type_name("F");
}

void add_quiet_option(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "Print no notes on stderr");
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  add_form_option(command, "--json", options.json, "JSON");
  add_quiet_option(command, options.quiet);
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

void secure_standard_streams() {
  int fd = 0;
  do fd = open("/dev/null", O_RDWR);  // takes the lowest number that is free
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

const char* lost_output() {
  pollfd output{STDOUT_FILENO, 0, 0};
  if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return "cannot write all of the output to standard output; send it to a file on a disk with "
         "free space";
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw EnvironmentError(lost_output());
}

}  // namespace alsbench
