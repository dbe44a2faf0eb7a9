// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/interrupts.h"

#include <csignal>

#include "harness/cli/progress/reading_line.h"
#include "harness/files/atomic_file.h"
#include "harness/files/mapped_file.h"

namespace alsbench {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A second signal ends the program. SA_RESETHAND would not do: NVRTC puts handlers back without it.
void on_interrupt(int signal) {
  std::signal(signal, SIG_DFL);
  interrupted = true;
}

void on_end(int signal) {
  std::signal(signal, SIG_DFL);
  remove_unfinished_writes();
  remove_reading_line();
  raise(signal);  // as it would have ended
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup's work goes on
}

}  // namespace

void install_cleanup_handlers() {
  handle(on_end);
  install_truncation_handler();
  // A limit on the size of files and a reader that is gone fail a write, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& catch_interrupts() {
  handle(on_interrupt);
  return interrupted;
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

}  // namespace alsbench
