// SPDX-License-Identifier: Apache-2.0
// The arguments this process was started with, the program first.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

std::vector<std::string> process_command_line();

// A word as a shell reads it back, quoted where it must be.
std::string shell_word(const std::string& word);
// This process's command line for a shell, for "to go on" lines.
std::string own_command();

}  // namespace alsbench
