// SPDX-License-Identifier: Apache-2.0
// Lines of ALSBENCH_LOG=debug on stderr, for those who look for a fault: what the planner and its
// workers say to each other, and which kernels are compiled.
#pragma once

#include <string_view>

namespace alsbench {

// Whether ALSBENCH_LOG is "debug". Throws UsageError where it is anything else but empty.
bool logs_debug();

// One line with the time since the first call and the process. Ask logs_debug() first, so that
// nothing is formatted in vain.
void log_debug(std::string_view text);

}  // namespace alsbench
