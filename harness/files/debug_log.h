// SPDX-License-Identifier: Apache-2.0
// Lines of ALSBENCH_LOG=debug on stderr, for debugging: the messages between the planner and its
// workers, and the kernels that are compiled.
#pragma once

#include <string_view>

namespace alsbench {

// Whether ALSBENCH_LOG is "debug". Throws UsageError where it is anything else but empty.
bool logs_debug();

// One line with the time since the first call and the process. Ask logs_debug() first, so nothing
// is formatted in vain.
void log_debug(std::string_view text);

}  // namespace alsbench
