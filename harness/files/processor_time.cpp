// SPDX-License-Identifier: Apache-2.0
#include "harness/files/processor_time.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace alsbench {
namespace {

// The fields of a processor's line: user, nice, system, idle, waiting for disks, interrupts,
// software interrupts, stolen. Nothing where there are fewer.
std::optional<double> busy_ticks(std::istream& fields) {
  constexpr int kIdle = 3, kWaiting = 4, kFields = 8;
  double busy = 0, ticks = 0;
  for (int field = 0; field < kFields; ++field) {
    if (!(fields >> ticks)) return std::nullopt;
    if (field != kIdle && field != kWaiting) busy += ticks;
  }
  return busy;
}

}  // namespace

std::optional<ProcessorTime> parse_processor_time(std::istream& stat, double ticks_per_second,
                                                  const std::function<bool(int)>& usable) {
  ProcessorTime all, mine;
  for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    int number = 0;
    const char* const end = name.data() + name.size();
    if (std::from_chars(name.data() + 3, end, number).ec != std::errc()) continue;  // the sum
    const std::optional<double> ticks = busy_ticks(fields);
    if (!ticks) return std::nullopt;
    for (ProcessorTime* time : {&all, usable(number) ? &mine : nullptr}) {
      if (time == nullptr) continue;
      time->busy_seconds += *ticks / ticks_per_second;
      ++time->processors;
    }
  }
  if (all.processors == 0) return std::nullopt;
  return mine.processors > 0 ? mine : all;
}

std::optional<ProcessorTime> processor_time() {
  cpu_set_t own;
  // OpenMP may have bound this thread to fewer than its others have.
  if (sched_getaffinity(0, sizeof own, &own) != 0 || CPU_COUNT(&own) < omp_get_num_procs())
    CPU_ZERO(&own);
  std::ifstream stat("/proc/stat");
  return parse_processor_time(stat, static_cast<double>(sysconf(_SC_CLK_TCK)),
                              [&own](int number) { return CPU_ISSET(number, &own); });
}

}  // namespace alsbench
