// SPDX-License-Identifier: Apache-2.0
// Processors while programs run: what those that were started had of them, and what was left to
// others.
#pragma once

#include <optional>

#include "harness/files/processor_time.h"

namespace alsbench {

class CpuUsageMonitor {
 public:
  CpuUsageMonitor();  // from here on

  // CPU seconds of children that ended and were reaped.
  double children_seconds() const;
  // The share of the processors that this process may run on, in so many seconds, that processes
  // other than this one and its reaped children had. Nothing where the system does not say.
  std::optional<double> other_share(double seconds) const;

 private:
  std::optional<ProcessorTime> processors_;  // as this began
  double own_, children_;                    // seconds, likewise
};

}  // namespace alsbench
