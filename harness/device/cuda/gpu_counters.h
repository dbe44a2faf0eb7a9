// SPDX-License-Identifier: Apache-2.0
// Which of CUPTI's metrics make the Counters of a kernel.
#pragma once

#include <string>
#include <vector>

#include "harness/record/counters.h"

namespace alsbench {

// The metrics to collect, in the order that counters_of() reads them.
std::vector<std::string> counter_metrics();
// `values`: those of counter_metrics(), NaN where the chip has none.
Counters counters_of(const std::vector<double>& values);

}  // namespace alsbench
