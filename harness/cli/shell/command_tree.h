// SPDX-License-Identifier: Apache-2.0
// The program's commands and their options as data: what shells complete and the manual lists.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"

namespace alsbench {

struct OptionInfo {
  std::vector<std::string> names;  // "--json", "-q"; of a positional one its name alone: "SUITE"
  std::string value;               // what stands for its value, "TEXT"; "": it takes none
  std::string description;
  bool positional = false;
};

struct CommandInfo {
  std::vector<std::string> path;  // {} of the program itself, {"data", "generate"}
  std::string description;
  std::vector<OptionInfo> options;       // those that help shows, in its order
  std::vector<std::string> subcommands;  // their names

  std::string text() const;  // "data generate"
};

// Whether the option may stand with a value and without one.
bool takes_value_or_none(const CLI::Option& option);

// The program and all of its commands that help shows, each before those below it.
std::vector<CommandInfo> command_tree(const CLI::App& app);

}  // namespace alsbench
