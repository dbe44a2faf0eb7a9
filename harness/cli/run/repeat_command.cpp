// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/repeat_command.h"

#include <fmt/format.h>

#include <optional>

#include "harness/cli/ratings_options.h"
#include "harness/custom/load.h"
#include "harness/files/command_line.h"

namespace alsbench {
namespace {

// A regular expression that matches `text` and nothing else.
std::string exactly(const std::string& text) {
  std::string pattern = "^";
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

void add_flag(std::string& command, const char* flag, const std::string& value) {
  command += fmt::format(" {} {}", flag, shell_word(value));
}

template <class Number>
void add_flag(std::string& command, const char* flag, const std::optional<Number>& value) {
  if (value) add_flag(command, flag, fmt::to_string(*value));
}

// The case whose command runs the record again.
std::string repeated_case(const CaseRecord& record, const std::vector<Case>& cases) {
  if (record.role == Role::ceiling)
    for (const Case& other : cases)
      if (other.group() == record.group) return other.name();
  return record.name;
}

// Options that decide how cases are measured.
std::string how_text(const RunOptions& options) {
  std::string text;
  for (const std::string& word : custom::kernel_arguments()) text += " " + shell_word(word);
  if (!options.device.empty()) add_flag(text, "--device", options.device);
  for (const std::string& axis : options.axes) add_flag(text, "--axis", axis);
  for (const std::string& word : ratings_arguments(options.data)) text += " " + shell_word(word);
  add_flag(text, "--rank", options.rank);
  add_flag(text, "--lambda", options.lambda);
  add_flag(text, "--scale", options.scale);
  add_flag(text, "--seed", options.seed);
  add_flag(text, "--min-samples", options.min_samples);
  add_flag(text, "--max-samples", options.max_samples);
  add_flag(text, "--max-noise", options.max_noise);
  add_flag(text, "--timeout", options.timeout);
  add_flag(text, "--hang-timeout", options.hang_timeout);
  if (options.counters) text += " --counters";
  if (options.energy) text += " --energy";
  return text;
}

}  // namespace

std::string program_name() {
  const std::vector<std::string> words = process_command_line();
  return words.empty() ? "alsbench" : words[0];
}

std::string run_command(const std::string& program, const std::string& suite,
                        const RunOptions& options) {
  std::string command = fmt::format("{} run {}", shell_word(program), shell_word(suite));
  if (!options.filter.empty()) add_flag(command, "--filter", options.filter);
  for (const std::string& variant : options.variants) add_flag(command, "--benchmark", variant);
  command += how_text(options);
  if (options.launches != 1) add_flag(command, "--launches", fmt::to_string(options.launches));
  if (!options.database.empty()) add_flag(command, "--db", options.database);
  return command;
}

std::string repeat_command(const std::string& program, const std::string& suite,
                           const RunOptions& options, const std::string& case_name,
                           const std::filesystem::path& results) {
  std::string command = fmt::format("{} {} {}", shell_word(program),
                                    options.profile ? "profile" : "run", shell_word(suite));
  add_flag(command, "--filter", exactly(case_name));
  command += how_text(options);
  add_flag(command, "--out", (results.parent_path() / "again").string());
  return command;
}

std::string ncu_command(const std::string& suite, const RunOptions& options,
                        const std::string& case_name, const std::filesystem::path& results) {
  return "ncu --target-processes all --profile-from-start off --set full " +
         repeat_command(program_name(), suite, options, case_name, results);
}

void add_repeat_command(CaseRecord& record, const std::vector<Case>& cases,
                        const std::string& suite, const RunOptions& options,
                        const std::filesystem::path& results) {
  if (failed(record.outcome))
    record.repeat =
        repeat_command(program_name(), suite, options, repeated_case(record, cases), results);
}

}  // namespace alsbench
