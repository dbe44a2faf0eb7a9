// Ctrl-C for commands that keep a journal: the first ends the work in order, a second one ends the
// program. Used by `alsbench run` and `alsbench tune`.
#pragma once

#include <atomic>
#include <string>

namespace alsbench {

// Catches SIGINT and SIGTERM from now on; the flag is set by the first.
const std::atomic<bool>& catch_interrupts();

// This process's command line, quoted for a shell, for "to go on:" lines.
std::string own_command();

}  // namespace alsbench
