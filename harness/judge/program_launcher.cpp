// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/program_launcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/error.h"
#include "harness/files/command_line.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/command_settings.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceholder = "{json}";
constexpr int kNotExecutable = 126, kNotFound = 127;  // exit codes of /bin/sh
constexpr double kGitSeconds = 60;

// Flags with which a tool writes its JSON to the file.
std::string flags_of(ForeignFormat format, const std::string& file) {
  switch (format) {
    case ForeignFormat::google_benchmark:
      return fmt::format(" --benchmark_out={} --benchmark_out_format=json", file);
    case ForeignFormat::nvbench:
      return " --json " + file;
    case ForeignFormat::pyperf:
      return " -o " + file;
    case ForeignFormat::pytest_benchmark:
      return " --benchmark-json=" + file;
    case ForeignFormat::hyperfine:
      return " --export-json " + file;
    case ForeignFormat::json:
      break;
  }
  return "";
}

// The last line of git's answer in a folder; nothing where it fails.
std::optional<std::string> git(const fs::path& folder, const std::string& words) {
  const FinishedProgram ended = run_program(
      shell(fmt::format("git -C {} {} 2>/dev/null", shell_word(folder.string()), words)), nullptr,
      {.seconds = kGitSeconds});
  if (!ended.succeeded()) return std::nullopt;
  return ended.log_tail.empty() ? "" : ended.log_tail.back();
}

ProgramRecord record_of(const std::string& command) {
  ProgramRecord record{without_folders(command)};
  for (const std::string& word : words_of(command)) {
    std::error_code none;
    const fs::path path(word);
    if (word[0] == '-' || !fs::exists(path, none)) continue;
    const fs::path folder = fs::is_directory(path, none) ? path : fs::absolute(path).parent_path();
    const auto commit = git(folder, "rev-parse HEAD");
    if (!commit) continue;
    record.git_commit = *commit;
    record.git_dirty = !git(folder, "status --porcelain --untracked-files=no").value_or("").empty();
    break;
  }
  return record;
}

std::string gpu_driver() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  std::getline(file, version);
  return version;
}

// Why a launch gave nothing, and what to do about it.
struct Fault {
  std::string what, remedy;
  bool of_case = false;  // the program ran, and failed
};

std::string message_of(const LaunchPlace& place, const std::string& command, const Fault& fault,
                       const std::string& tail) {
  return fmt::format("the {} program, launch {}: {}\n  command: {}\n  its last lines: {}\n  {}",
                     name_of(place.build), place.index + 1, fault.what, command,
                     tail.empty() ? "(none)" : tail, fault.remedy);
}

[[noreturn]] void blame_program(const LaunchPlace& place, const std::string& command,
                                const Fault& fault, const std::string& tail) {
  const std::string message = printable(message_of(place, command, fault, tail));
  if (fault.of_case && place.build == Build::test) throw std::runtime_error(message);
  blame(place.build, message);
}

std::optional<Fault> fault_of(const FinishedProgram& ended) {
  if (!ended.excess.empty())
    return Fault{ended.excess, "--launch-timeout and --launch-memory set the limits", true};
  const bool found = !ended.end.exited_with(kNotFound) && !ended.end.exited_with(kNotExecutable);
  if (!found)
    return Fault{"cannot be started",
                 "check the command: /bin/sh runs it in " + fs::current_path().string()};
  if (!ended.end.exited_with(0))
    return Fault{ended.end.text(), "run the command by hand; a launch must end with exit code 0",
                 true};
  return std::nullopt;
}

bool is_json(const fs::path& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return false;
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  return Json::accept(without_bare_numbers(text));
}

constexpr const char* kWrongContent =
    "it is JSON, but not as it must be: check --format, --value and what the program writes";

std::string remedy_without_json(ForeignFormat format, bool placed) {
  if (placed) return "the program must write its JSON to the file that {json} stands for";
  if (format == ForeignFormat::json)
    return "the program must print JSON alone, or write it to a file: put {json} where the command "
           "takes the file's name";
  return fmt::format("the flags{} were added; put {{json}} where the command takes the file's name",
                     flags_of(format, "FILE"));
}

}  // namespace

std::string launch_line(const std::string& command, ForeignFormat format, const fs::path& file,
                        const std::vector<std::string>& names) {
  const std::string word = shell_word(file.string());
  std::string line = command;
  size_t at = line.find(kPlaceholder);
  if (at == std::string::npos) {
    if (format == ForeignFormat::json) return fmt::format("exec > {}\n{}", word, command);
    line += flags_of(format, word);
    if (format == ForeignFormat::google_benchmark && !names.empty())
      line += " --benchmark_filter=" + shell_word(filter_of(names));
    return line;
  }
  for (; at != std::string::npos; at = line.find(kPlaceholder, at + word.size()))
    line.replace(at, kPlaceholder.size(), word);
  return line;
}

ProgramsRecord record_of(const ProgramOptions& options) {
  return {.format = std::string(name_of(options.format)),
          .gpu_driver = gpu_driver(),
          .base = record_of(options.base),
          .test = record_of(options.test)};
}

ProgramLauncher::ProgramLauncher(ProgramOptions options)
    : Launcher(options.launch), options_(std::move(options)) {}

ComparisonInput ProgramLauncher::measure(const LaunchPlace& place,
                                         const std::vector<std::string>& names) {
  const std::string& command = place.build == Build::base ? options_.base : options_.test;
  const fs::path file = folder() / "launch.json";
  fs::remove(file);
  const FinishedProgram ended = run(shell(launch_line(command, options_.format, file, names)));
  if (const auto fault = fault_of(ended))
    blame_program(place, command, *fault, ended.output_tail());
  // Of named benchmarks a program may have none, though it had them before.
  const ForeignReader reader{
      .format = options_.format, .values = options_.values, .may_be_empty = !names.empty()};
  ComparisonInput input = read(place, ended, file, reader);
  const std::set<std::string> wanted(names.begin(), names.end());
  if (!wanted.empty())
    std::erase_if(input.cases, [&](const auto& c) { return !wanted.contains(c.name); });
  for (ComparisonCase& c : input.cases)  // pyperf's file has several of each
    if (c.launches.size() > 1) c.launches = {joined(c.launches)};
  require_common_cases(place, input);
  for (Property& setting : settings_of(words_of(command)))
    if (find_property(input.environment, setting.name) == nullptr)
      input.environment.push_back(std::move(setting));
  input.source = without_folders(command);
  return input;
}

ComparisonInput ProgramLauncher::read(const LaunchPlace& place, const FinishedProgram& ended,
                                      const fs::path& file, const ForeignReader& reader) const {
  const std::string& command = place.build == Build::base ? options_.base : options_.test;
  const std::string remedy =
      remedy_without_json(options_.format, command.find(kPlaceholder) != std::string::npos);
  if (!fs::exists(file))
    blame_program(place, command, {"wrote no JSON", remedy}, ended.output_tail());
  try {
    return read_foreign_file(file, fmt::format("its JSON ({})", name_of(options_.format)), reader);
  } catch (const UsageError& error) {
    blame_program(place, command, {error.what(), is_json(file) ? kWrongContent : remedy},
                  ended.output_tail());
  }
}

void ProgramLauncher::require_common_cases(const LaunchPlace& place, const ComparisonInput& input) {
  if (base_names_ && test_names_) return;
  auto& own = place.build == Build::base ? base_names_ : test_names_;
  if (own) return;
  own.emplace();
  for (const ComparisonCase& c : input.cases) own->push_back(c.name);
  if (!base_names_ || !test_names_) return;
  const std::set<std::string> tests(test_names_->begin(), test_names_->end());
  if (std::ranges::any_of(*base_names_,
                          [&](const std::string& name) { return tests.contains(name); }))
    return;
  throw BaselineError(printable(fmt::format(
      "no benchmark of the base program is one of the test program; base has: {}; test has: {}; "
      "give both the same names{}",
      fmt::join(*base_names_, ", "), fmt::join(*test_names_, ", "),
      options_.format == ForeignFormat::hyperfine ? ", with hyperfine's --command-name" : "")));
}

}  // namespace alsbench
