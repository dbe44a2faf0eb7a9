// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/shell/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace alsbench {
namespace {

OptionInfo info_of(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  info.positional = info.names.empty();
  if (info.positional) info.names.push_back(option.get_name());
  if (option.get_expected_max() > 0) info.value = option.get_type_name();
  if (takes_value_or_none(option)) info.value = "[" + info.value + "]";
  info.description = option.get_description();
  return info;
}

// Shown by help: those without a group are not.
bool is_shown(const std::string& group) { return !group.empty(); }

void add(const CLI::App& app, const std::vector<std::string>& path,
         std::vector<CommandInfo>& commands) {
  CommandInfo command;
  command.path = path;
  command.description = app.get_description();
  for (const CLI::Option* option : app.get_options())
    if (is_shown(option->get_group())) command.options.push_back(info_of(*option));
  const auto shown = [](const CLI::App* sub) {
    return is_shown(sub->get_group()) && !sub->get_name().empty();
  };
  const std::vector<const CLI::App*> below = app.get_subcommands(shown);
  for (const CLI::App* sub : below) command.subcommands.push_back(sub->get_name());
  commands.push_back(std::move(command));
  for (const CLI::App* sub : below) {
    std::vector<std::string> longer = path;
    longer.push_back(sub->get_name());
    add(*sub, longer, commands);
  }
}

}  // namespace

bool takes_value_or_none(const CLI::Option& option) {
  return option.get_expected_min() == 0 && option.get_expected_max() > 0;
}

std::string CommandInfo::text() const { return fmt::format("{}", fmt::join(path, " ")); }

std::vector<CommandInfo> command_tree(const CLI::App& app) {
  std::vector<CommandInfo> commands;
  add(app, {}, commands);
  return commands;
}

}  // namespace alsbench
