// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/usage_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <string_view>

#include "base/suggestion.h"

namespace alsbench {
namespace {

// Names that other programs of the field have for an option of ours.
const std::map<std::string, std::string> kOtherNames{{"--epochs", "--iterations"},
                                                     {"--factors", "--rank"},
                                                     {"--k", "--rank"},
                                                     {"--reg", "--lambda"},
                                                     {"--regularization", "--lambda"},
                                                     {"--input", "--data"},
                                                     {"--output", "--out"},
                                                     {"--format", "--to"}};

// Options that chose a mode of a command, and the commands that the modes have become.
struct Moved {
  std::string_view command, option, now;
};
constexpr Moved kMoved[] = {
    {"tune", "--pipeline", "tune pipeline"},
    {"tune", "--replay", "tune replay"},
    {"tune", "--merge", "tune merge"},
    {"tune", "--stage", "tune stage"},
    {"ab", "--bisect", "bisect"},
    {"run", "--profile", "profile"},
    {"run", "--ncu", "profile --ncu"},
};

// The command, or the command of that, which the arguments begin with; the words after it.
struct Named {
  const CLI::App* command;
  std::string text;  // " data generate"
  std::vector<std::string> rest;

  std::string name() const { return text.empty() ? "" : text.substr(1); }
};

Named command_named(const CLI::App& app, const std::vector<std::string>& arguments) {
  Named named{&app, "", {}};
  size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const auto found = named.command->get_subcommands(
        [&](const CLI::App* sub) { return sub->get_name() == arguments[i]; });
    if (found.empty()) break;
    named.command = found.front();
    named.text += " " + named.command->get_name();
  }
  named.rest.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  return named;
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  if (const auto other = kOtherNames.find(word);
      other != kOtherNames.end() && command.get_option_no_throw(other->second) != nullptr)
    return fmt::format("unknown option '{}'; use {}", word, other->second);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string near = nearest_name(word, names);
  return fmt::format("unknown option '{}'{}", word,
                     near.empty() ? "" : "; did you mean '" + near + "'?");
}

// Of an option that the command does not have; empty where all are known.
std::string unknown_options(const Named& named) {
  for (const std::string& word : named.rest) {
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && name.size() > 2 &&
        named.command->get_option_no_throw(name) == nullptr)
      return unknown_option(*named.command, name);
  }
  return "";
}

// Of an option whose mode is a command now; empty where there is none.
std::string moved_option(const Named& named) {
  for (const Moved& moved : kMoved)
    for (const std::string& word : named.rest)
      if (named.name() == moved.command && word.substr(0, word.find('=')) == moved.option)
        return fmt::format("`{} {}` is now `alsbench {}`; see alsbench {} --help", moved.command,
                           moved.option, moved.now, moved.now.substr(0, moved.now.find(" --")));
  return "";
}

// Of a command whose own commands are not named; empty where it has none.
std::string unnamed_command(const Named& named) {
  std::vector<std::string> names;
  if (!named.text.empty())
    for (const CLI::App* command : named.command->get_subcommands({}))
      names.push_back(command->get_name());
  if (names.empty()) return "";
  if (!named.rest.empty() && !named.rest.front().starts_with('-'))
    return unknown_name("command", named.rest.front(), names);
  return fmt::format("name a command of {} first: {}", named.name(), fmt::join(names, ", "));
}

bool looks_like_path(const std::string& word) {
  std::error_code none;
  return word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, none);
}

// Of words that a command did not expect; empty where that does not say more than CLI11 does.
std::string unexpected(const Named& named) {
  if (named.command->get_option_no_throw("--data") == nullptr) return "";
  for (const std::string& word : named.command->remaining())
    if (!word.starts_with('-') && looks_like_path(word))
      return fmt::format("unexpected argument '{0}'; did you mean '--data {0}'?", word);
  return "";
}

// Of a number that the type of its option cannot hold, in place of CLI11's "Could not convert:
// --rank = 1.5".
std::string unconverted(const std::string& said) {
  constexpr std::string_view kBegin = "Could not convert: ", kBetween = " = ";
  const size_t between = said.find(kBetween);
  if (!said.starts_with(kBegin) || between == std::string::npos) return said;
  const std::string name = said.substr(kBegin.size(), between - kBegin.size());
  const std::string value = said.substr(between + kBetween.size());
  const bool whole = value.find_first_not_of("+-0123456789") == std::string::npos;
  return fmt::format("{}: '{}': {}", name, value,
                     whole ? "give a number nearer to 0" : "give a whole number");
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const Named named = command_named(app, arguments);
  if (named.text.empty() && !arguments.empty() && !arguments.front().starts_with('-')) {
    std::vector<std::string> names;
    const auto listed = [](const CLI::App* command) { return !command->get_group().empty(); };
    for (const CLI::App* command : app.get_subcommands(listed))
      names.push_back(command->get_name());
    return unknown_name("command", arguments.front(), names);
  }
  if (const std::string moved = moved_option(named); !moved.empty()) return moved;
  std::string message = unnamed_command(named);
  if (message.empty()) message = unknown_options(named);
  if (message.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    message = unexpected(named);
  return fmt::format("{}; see alsbench{} --help",
                     message.empty() ? unconverted(error.what()) : message, named.text);
}

}  // namespace alsbench
