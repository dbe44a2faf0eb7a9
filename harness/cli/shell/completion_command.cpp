// SPDX-License-Identifier: Apache-2.0
// `alsbench completion SHELL`: scripts with which bash, zsh and fish complete the program's
// commands, options and suites.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/shell/command_tree.h"
#include "harness/files/command_line.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {
namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

bool takes_suites(const CommandInfo& command) {
  return std::any_of(command.options.begin(), command.options.end(), [](const OptionInfo& option) {
    return option.positional && option.names[0].starts_with("suite");
  });
}

// Words that may follow a command, without files.
std::vector<std::string> words_of(const CommandInfo& command,
                                  const std::vector<std::string>& suites) {
  std::vector<std::string> words = command.subcommands;
  for (const OptionInfo& option : command.options)
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  if (takes_suites(command)) words.insert(words.end(), suites.begin(), suites.end());
  return words;
}

// "/data/generate": what the scripts know a command by.
std::string place_of(const CommandInfo& command) {
  std::string place;
  for (const std::string& word : command.path) place += "/" + word;
  return place;
}

// Those of all commands, for a case of a shell.
std::string all_places(const std::vector<CommandInfo>& commands, std::string_view separator) {
  std::vector<std::string> places;
  for (const CommandInfo& command : commands)
    if (!command.path.empty()) places.push_back(place_of(command));
  return fmt::format("{}", fmt::join(places, separator));
}

std::string bash_script(const std::vector<CommandInfo>& commands,
                        const std::vector<std::string>& suites) {
  std::string cases;
  for (const CommandInfo& command : commands)
    cases += fmt::format("    {}) words={} ;;\n", shell_word(place_of(command)),
                         shell_word(fmt::format("{}", fmt::join(words_of(command, suites), " "))));
  return fmt::format(R"(_alsbench() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} place= words= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$place/${{COMP_WORDS[i]}}" in
    {}) place+="/${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$place" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _alsbench alsbench
)",
                     all_places(commands, "|"), cases);
}

// Of zsh's _describe and fish: one line, and no character that either treats specially.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\'' || c == '\\'; }, ' ');
  return text;
}

// "name:description" with its colons escaped.
std::string described(const std::string& name, const std::string& description) {
  std::string escaped;
  for (const char c : name) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
  return shell_word(escaped + ":" + plain(description));
}

const CommandInfo& below(const std::vector<CommandInfo>& commands, const CommandInfo& command,
                         const std::string& name) {
  std::vector<std::string> path = command.path;
  path.push_back(name);
  return *std::find_if(commands.begin(), commands.end(),
                       [&](const CommandInfo& one) { return one.path == path; });
}

std::string zsh_script(const std::vector<CommandInfo>& commands,
                       const std::vector<std::string>& suites) {
  std::string cases;
  for (const CommandInfo& command : commands) {
    std::vector<std::string> entries;
    for (const std::string& name : command.subcommands)
      entries.push_back(described(name, below(commands, command, name).description));
    for (const OptionInfo& option : command.options)
      for (const std::string& name : option.names)
        if (!option.positional) entries.push_back(described(name, option.description));
    if (takes_suites(command))
      for (const std::string& suite : suites) entries.push_back(described(suite, "suite"));
    cases += fmt::format("    {}) entries=({}) ;;\n", shell_word(place_of(command)),
                         fmt::join(entries, " "));
  }
  return fmt::format(R"(_alsbench() {{
  local place= word
  local -a entries
  for word in ${{words[2,CURRENT-1]}}; do
    case "$place/$word" in
    {}) place+="/$word" ;;
    esac
  done
  case "$place" in
{}  esac
  _describe 'alsbench' entries
  [[ $PREFIX == -* ]] || _files
}}
_alsbench "$@"
)",
                     all_places(commands, "|"), cases);
}

std::string fish_script(const std::vector<CommandInfo>& commands,
                        const std::vector<std::string>& suites) {
  std::string text = fmt::format(R"(function __alsbench_at
  set -l place
  for word in (commandline -opc)[2..]
    switch "$place/$word"
      case {}
        set place "$place/$word"
    end
  end
  test "$place" = "$argv[1]"
end
)",
                                 all_places(commands, " "));
  for (const CommandInfo& command : commands) {
    const std::string at =
        fmt::format("complete -c alsbench -n \"__alsbench_at '{}'\"", place_of(command));
    for (const std::string& name : command.subcommands)
      text += fmt::format("{} -a {} -d '{}'\n", at, name,
                          plain(below(commands, command, name).description));
    if (takes_suites(command))
      text += fmt::format("{} -a '{}' -d suite\n", at, fmt::join(suites, " "));
    for (const OptionInfo& option : command.options) {
      if (option.positional) continue;
      std::string flags;
      for (const std::string& name : option.names)
        flags += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const bool needs_value = !option.value.empty() && !option.value.starts_with('[');
      text += fmt::format("{}{}{} -d '{}'\n", at, flags, needs_value ? " -r" : "",
                          plain(option.description));
    }
  }
  return text;
}

std::string completion_script(std::string_view shell, const std::vector<CommandInfo>& commands,
                              const std::vector<std::string>& suites) {
  const std::string begin =
      fmt::format("# Made by `alsbench completion {}` from the program's own options.\n", shell);
  if (shell == "bash") return begin + bash_script(commands, suites);
  if (shell == "zsh") return "#compdef alsbench\n" + begin + zsh_script(commands, suites);
  return begin + fish_script(commands, suites);
}

}  // namespace

void add_completion_command(CLI::App& app, CommandResult& result) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a shell completion script for alsbench");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kShells), std::end(kShells))));
  result.runs(*command, [&app, shell] {
    fmt::print("{}", completion_script(*shell, command_tree(app), suite_names()));
    return kExitOk;
  });
}

}  // namespace alsbench
