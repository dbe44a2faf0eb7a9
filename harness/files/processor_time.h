// SPDX-License-Identifier: Apache-2.0
// How long the processors of this machine have worked, for whomever: /proc/stat of Linux.
#pragma once

#include <functional>
#include <istream>
#include <optional>

namespace alsbench {

struct ProcessorTime {
  double busy_seconds = 0;  // of all of them since the system started, stolen time included
  int processors = 0;
};

// Of the processors that this process may run on. Nothing where the system does not say.
std::optional<ProcessorTime> processor_time();

// Of those processors of a text like /proc/stat that `usable` takes by number, with so many ticks a
// second; of all, where it takes none.
std::optional<ProcessorTime> parse_processor_time(std::istream& stat, double ticks_per_second,
                                                  const std::function<bool(int)>& usable);

}  // namespace alsbench
