// SPDX-License-Identifier: Apache-2.0
// Ctrl-C for commands that end in order: the first ends the work with what was done kept, a second
// one ends the program.
#pragma once

#include <atomic>

namespace alsbench {

// From now on SIGINT, SIGTERM, SIGHUP, a limit on the size of files and a pipe without a reader
// leave no file half-written.
void install_cleanup_handlers();

// Catches SIGINT, SIGTERM and SIGHUP from now on; the flag is set by the first.
const std::atomic<bool>& catch_interrupts();
// That flag, before they are caught.
const std::atomic<bool>& interrupt_flag();

}  // namespace alsbench
