// Ctrl-C for commands that keep a journal: the first ends the work in order, a second one ends the
// program. Used by the commands that measure.
#pragma once

#include <atomic>

namespace alsbench {

// Catches SIGINT and SIGTERM from now on; the flag is set by the first.
const std::atomic<bool>& catch_interrupts();

}  // namespace alsbench
