// Ctrl-C: the first one ends a command in order, with what it has so far; a second one ends the
// program. Used by the commands that measure.
#pragma once

#include <atomic>

namespace alsbench {

void catch_interrupts();                 // SIGINT and SIGTERM from now on
const std::atomic<bool>& interrupted();  // polled by what takes long

}  // namespace alsbench
