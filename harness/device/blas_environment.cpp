#include "harness/device/blas_environment.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "harness/files/command_line.h"
#include "kernels/cpu/blas_core.h"

namespace alsbench {

void use_best_blas_core() {
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  const std::string core = better_blas_core();
  if (core.empty() || std::getenv(kVariable) != nullptr) return;
  setenv(kVariable, core.c_str(), 1);
  std::vector<std::string> words = process_command_line();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());  // returns only on failure: then go on as we are
}

}  // namespace alsbench
