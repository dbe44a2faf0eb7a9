#include "harness/files/command_line.h"

#include <fstream>

namespace alsbench {

std::vector<std::string> process_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

}  // namespace alsbench
