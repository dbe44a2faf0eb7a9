// SPDX-License-Identifier: Apache-2.0
#include "harness/device/library_environment.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "harness/files/command_line.h"
#include "kernels/cpu/blas_core.h"

namespace alsbench {
namespace {

std::string problem;

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

// A thread that spins while it waits takes the processor from one that works: beside other programs
// every sample became ten times as long.
bool set_passive_waiting() {
  if (is_set("OMP_WAIT_POLICY") || is_set("GOMP_SPINCOUNT")) return false;
  return setenv("OMP_WAIT_POLICY", "passive", 1) == 0;
}

bool set_best_blas_core() {
  const std::string core = better_blas_core();
  if (core.empty() || is_set("OPENBLAS_CORETYPE")) return false;
  return setenv("OPENBLAS_CORETYPE", core.c_str(), 1) == 0;
}

// Returns only on failure.
void start_again() {
  std::vector<std::string> words = process_command_line();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (!words.empty()) execv("/proc/self/exe", arguments.data());
  problem = words.empty() ? "/proc is not mounted" : std::strerror(errno);
}

}  // namespace

void use_library_environment() {
  const bool waiting = set_passive_waiting(), core = set_best_blas_core();
  if (waiting || core) start_again();
  // The name that ps shows is "exe" after an execv of /proc/self/exe.
  prctl(PR_SET_NAME, program_invocation_short_name);
}

const std::string& library_environment_problem() { return problem; }

}  // namespace alsbench
