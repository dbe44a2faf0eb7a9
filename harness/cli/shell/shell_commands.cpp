// SPDX-License-Identifier: Apache-2.0
// `alsbench completion SHELL` and `alsbench manual`: what packages install with the program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/shell/command_tree.h"
#include "harness/cli/shell/completion.h"
#include "harness/cli/shell/manual.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

void add_completion_command(CLI::App& app, CommandResult& result) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a shell completion script for alsbench");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kShells), std::end(kShells))));
  command->callback([&app, &result, shell] {
    result.action = [&app, shell] {
      fmt::print("{}", completion_script(*shell, command_tree(app), suite_names()));
      return kExitOk;
    };
  });
}

void add_manual_command(CLI::App& app, CommandResult& result) {
  CLI::App* command =
      app.add_subcommand("manual", "Print the manual page; alsbench manual | man -l - shows it");
  command->callback([&app, &result] {
    result.action = [&app] {
      fmt::print("{}", manual_page(command_tree(app)));
      return kExitOk;
    };
  });
}

}  // namespace alsbench
