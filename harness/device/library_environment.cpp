// SPDX-License-Identifier: Apache-2.0
#include "harness/device/library_environment.h"

#include <fmt/format.h>
#include <malloc.h>
#include <omp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"
#include "harness/files/command_line.h"
#include "harness/files/usable_processors.h"

namespace alsbench {
namespace {

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

// Whether OpenMP was loaded without something that is set by now.
bool loaded_without = false;

// A thread that spins while it waits takes the processor from one that works: with other programs
// running, every sample became ten times as long.
void set_passive_waiting() {
  if (is_set("OMP_WAIT_POLICY") || is_set("GOMP_SPINCOUNT")) return;
  loaded_without = setenv("OMP_WAIT_POLICY", "passive", 1) == 0;
}

// Whether there is a limit (ulimit -v).
bool has_few_addresses() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Throws std::system_error where they cannot be there at one time.
void try_threads(int count) {
  std::vector<std::jthread> threads;
  std::promise<void> end;  // its end, which comes before theirs, wakes them
  const std::shared_future<void> ended = end.get_future().share();
  for (int i = 0; i < count; ++i) threads.emplace_back([ended] { ended.wait(); });
}

}  // namespace

void set_library_environment() {
  // The name that ps shows is "exe" after an execv of /proc/self/exe.
  prctl(PR_SET_NAME, program_invocation_short_name);
  set_passive_waiting();
}

void use_library_environment() {
  if (!loaded_without) return;
  std::vector<std::string> words = process_command_line();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (words.empty()) return;
  if (const auto usable = usable_processors()) sched_setaffinity(0, sizeof *usable, &*usable);
  execv("/proc/self/exe", arguments.data());
}

void start_threads() {
  if (!has_few_addresses()) return;
  mallopt(M_ARENA_MAX, 1);  // each thread's own takes 64 MiB of addresses, when it first allocates
  const int count = omp_get_max_threads();
  try {
    try_threads(count - 1);
  } catch (const std::system_error& error) {
    throw EnvironmentError(
        fmt::format("cannot start {} threads: {}; set OMP_NUM_THREADS to fewer, or raise ulimit -v",
                    count, error.what()));
  }
  // Compilers leave out a region without an effect.
  std::atomic<int> started = 0;
#pragma omp parallel  // cannot throw
  ++started;
}

}  // namespace alsbench
