// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/repeat_command.h"

#include <fmt/format.h>

#include <optional>

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

std::string program_name() {
  const std::vector<std::string> words = process_command_line();
  return words.empty() ? "alsbench" : words[0];
}

// The case whose command runs the record again.
std::string repeated_case(const CaseRecord& record, const std::vector<CaseRecord>& records) {
  if (record.role == Role::roof)
    for (const CaseRecord& other : records)
      if (other.role != Role::roof && other.group == record.group) return other.name;
  return record.name;
}

}  // namespace

std::string repeat_command(const std::string& program, const std::string& suite,
                           const RunOptions& options, const std::string& case_name,
                           const std::filesystem::path& results) {
  std::string command = fmt::format("{} run {}", shell_word(program), shell_word(suite));
  add_flag(command, "--filter", exactly(case_name));
  if (!options.device.empty()) add_flag(command, "--device", options.device);
  for (const std::string& axis : options.axes) add_flag(command, "--axis", axis);
  add_flag(command, "--scale", options.scale);
  add_flag(command, "--seed", options.seed);
  add_flag(command, "--min-samples", options.min_samples);
  add_flag(command, "--max-samples", options.max_samples);
  add_flag(command, "--max-noise", options.max_noise);
  add_flag(command, "--timeout", options.timeout);
  add_flag(command, "--hang-timeout", options.hang_timeout);
  if (options.profile) command += " --profile";
  if (options.counters) command += " --counters";
  add_flag(command, "--out", (results.parent_path() / "again").string());
  return command;
}

std::string ncu_command(const std::string& suite, const RunOptions& options,
                        const std::string& case_name, const std::filesystem::path& results) {
  RunOptions profiled = options;
  profiled.profile = true;
  profiled.counters = false;
  return "ncu --target-processes all --profile-from-start off --set full " +
         repeat_command(program_name(), suite, profiled, case_name, results);
}

void add_repeat_commands(std::vector<CaseRecord>& records, const std::string& suite,
                         const RunOptions& options, const std::filesystem::path& results) {
  const std::string program = program_name();
  for (CaseRecord& record : records)
    if (failed(record.outcome))
      record.repeat =
          repeat_command(program, suite, options, repeated_case(record, records), results);
}

}  // namespace alsbench
