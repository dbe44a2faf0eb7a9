// SPDX-License-Identifier: Apache-2.0
// Processors while programs run: what those that were started had of them, and what was left to
// others.
#pragma once

#include <optional>

namespace alsbench {

class CpuUsageMonitor {
 public:
  CpuUsageMonitor();  // from here on

  // CPU seconds of children that ended and were reaped.
  double children_seconds() const;
  // The share of all processors, in so many seconds, that processes other than this one and its
  // reaped children had. Nothing where the system does not say.
  std::optional<double> other_share(double seconds) const;

 private:
  double busy_, own_, children_;  // seconds, as this began
};

}  // namespace alsbench
