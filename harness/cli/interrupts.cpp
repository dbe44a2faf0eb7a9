#include "harness/cli/interrupts.h"

#include <csignal>
#include <vector>

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
  const std::vector<std::string> words = process_command_line();
  std::string command = words.empty() ? "alsbench" : words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool plain = word.find_first_of(" \t\n'\"\\$*?[]()|&;<>") == std::string::npos;
    command += plain && !word.empty() ? " " + word : " '" + word + "'";
  }
  return command;
}

}  // namespace alsbench
