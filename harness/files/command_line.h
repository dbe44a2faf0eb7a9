// SPDX-License-Identifier: Apache-2.0
// The arguments this process was started with, the program first.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

std::vector<std::string> process_command_line();

// A word as a shell reads it back, quoted where it must be.
std::string shell_word(const std::string& word);
// The words as one line for it.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace alsbench
