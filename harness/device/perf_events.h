// SPDX-License-Identifier: Apache-2.0
// The counters of a CPU, by Linux's perf events: cycles, instructions and misses of the last cache
// level. They count all threads of this process in user mode.
#pragma once

#include <functional>

#include "harness/record/counters.h"

namespace alsbench {

// Throws CountersUnavailable where the kernel does not let this process count.
Counters count_by_perf(const std::function<void()>& work);

}  // namespace alsbench
