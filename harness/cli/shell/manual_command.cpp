// SPDX-License-Identifier: Apache-2.0
// `alsbench manual`: the manual page alsbench(1), made of the program's own commands and options.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/shell/command_tree.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"

namespace alsbench {
namespace {

// Text as roff reads it back: hyphens that are minus signs, and no line that begins a macro.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n'))
      escaped += std::string("\\&") + c;
    else
      escaped += c;
  }
  return escaped;
}

std::string entry(const std::string& head, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(head), roff(text));
}

std::string option_entry(const OptionInfo& option) {
  std::string head = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.value.empty() && !option.positional) head += " " + option.value;
  return entry(head, option.description);
}

struct Meaning {
  ExitCode code;
  const char* text;
};
constexpr Meaning kMeanings[] = {
    {kExitOk, "Done; when comparing, no regression."},
    {kExitRegression, "When comparing, at least one regression."},
    {kExitUsage, "Arguments, a suite or a data file are wrong."},
    {kExitEnvironment, "The machine lacks a requirement, or the result is undecided."},
    {kExitBaseline, "A baseline is missing, damaged or of another environment."},
    {kExitCasesFailed, "Cases failed or vanished."},
    {kExitInterrupted, "Interrupted; what was done is kept."},
};

std::string manual_page(const std::vector<CommandInfo>& commands) {
  std::string text = fmt::format(
      ".TH ALSBENCH 1 \"\" \"alsbench {}\" \"User Commands\"\n"
      ".SH NAME\nalsbench \\- {}\n"
      ".SH SYNOPSIS\n\\fBalsbench\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n",
      build_provenance().version, roff(commands.front().description));
  text += ".SH OPTIONS\n";
  for (const OptionInfo& option : commands.front().options) text += option_entry(option);
  for (const CommandInfo& command : commands) {
    if (command.path.empty()) continue;
    text +=
        fmt::format(".SH {}\n{}.\n", roff(upper_case(command.text())), roff(command.description));
    for (const OptionInfo& option : command.options) text += option_entry(option);
  }
  text += ".SH EXIT STATUS\n";
  for (const Meaning& meaning : kMeanings)
    text += entry(std::to_string(meaning.code), meaning.text);
  return text;
}

}  // namespace

void add_manual_command(CLI::App& app, CommandResult& result) {
  CLI::App* command =
      app.add_subcommand("manual", "Print the manual page; alsbench manual | man -l - shows it");
  result.runs(*command, [&app] {
    fmt::print("{}", manual_page(command_tree(app)));
    return kExitOk;
  });
}

}  // namespace alsbench
