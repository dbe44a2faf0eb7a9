#include "harness/cli/interrupts.h"

#include <csignal>
#include <string>

#include "harness/cli/run_again.h"
#include "harness/files/command_line.h"

namespace alsbench {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) { interrupted = true; }

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

std::string own_command() {
  std::string command;
  for (const std::string& word : process_command_line())
    command += (command.empty() ? "" : " ") + shell_word(word);
  return command.empty() ? "alsbench" : command;
}

}  // namespace alsbench
