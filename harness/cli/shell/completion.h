// SPDX-License-Identifier: Apache-2.0
// Scripts with which bash, zsh and fish complete the program's commands, options and suites.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/shell/command_tree.h"

namespace alsbench {

inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

// `shell`: one of kShells. `suites` are offered where a command takes a suite.
std::string completion_script(std::string_view shell, const std::vector<CommandInfo>& commands,
                              const std::vector<std::string>& suites);

}  // namespace alsbench
