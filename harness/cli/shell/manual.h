// SPDX-License-Identifier: Apache-2.0
// The manual page alsbench(1), made of the program's own commands and options.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/shell/command_tree.h"

namespace alsbench {

// In the macros of man(7).
std::string manual_page(const std::vector<CommandInfo>& commands);

}  // namespace alsbench
