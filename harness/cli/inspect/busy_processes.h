// SPDX-License-Identifier: Apache-2.0
// Processes that keep the processors of this machine busy.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

struct BusyProcess {
  int id = 0;
  std::string name;
  double processors = 0;  // that it kept busy
};

// Other processes that use a tenth of a processor or more while this one waits for so many seconds,
// the busiest first. Only those that Linux's /proc shows to this user, of this container.
std::vector<BusyProcess> busy_processes(double seconds);
// "make (1234) 1.9, cc1plus (77) 0.3"
std::string text_of(const std::vector<BusyProcess>& processes);

}  // namespace alsbench
