// SPDX-License-Identifier: Apache-2.0
// Lines of ALSBENCH_LOG=debug on stderr, for debugging: the messages between the planner and its
// workers, the kernels that are compiled, and when each step of reading and writing ended.
#pragma once

#include <string_view>

namespace alsbench {

// Whether ALSBENCH_LOG is "debug". Throws UsageError where it is anything else but empty.
bool logs_debug();

// One line with the time since the first call and the process. Ask logs_debug() first, so nothing
// is formatted in vain.
void log_debug(std::string_view text);

// The same of a step that has ended, where it is wanted.
inline void log_step(std::string_view what) {
  if (logs_debug()) log_debug(what);
}

}  // namespace alsbench
