// The arguments this process was started with, the program first. Used by provenance and by what
// starts the program again.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

std::vector<std::string> process_command_line();

}  // namespace alsbench
