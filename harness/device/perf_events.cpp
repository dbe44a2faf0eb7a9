// SPDX-License-Identifier: Apache-2.0
#include "harness/device/perf_events.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/clock.h"
#include "harness/device/counters_unavailable.h"
#include "harness/files/file_descriptor.h"

namespace alsbench {
namespace {

struct PerfEvent {
  uint64_t config;
  double Counters::*member;
};

constexpr std::array kEvents{PerfEvent{PERF_COUNT_HW_CPU_CYCLES, &Counters::cycles},
                             PerfEvent{PERF_COUNT_HW_INSTRUCTIONS, &Counters::instructions},
                             PerfEvent{PERF_COUNT_HW_CACHE_MISSES, &Counters::last_level_misses}};

std::string paranoid() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  return level.empty() ? "unknown" : level;
}

// perf_event_open(2), "ERRORS".
[[noreturn]] void refuse(int error) {
  const std::string detail = fmt::format("perf_event_open: {}", std::strerror(error));
  if (error == EACCES || error == EPERM)
    throw CountersUnavailable(
        CountersFailureKind::permission,
        fmt::format("{} (kernel.perf_event_paranoid is {})", detail, paranoid()),
        "sudo sysctl kernel.perf_event_paranoid=2; a container also needs perf_event_open in its "
        "seccomp profile, or CAP_PERFMON");
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENOSYS)
    throw CountersUnavailable(CountersFailureKind::unsupported, detail,
                              "use a machine whose processor counters are visible: many virtual "
                              "machines hide them");
  throw CountersUnavailable(CountersFailureKind::failed, detail, "see man perf_event_open");
}

FileDescriptor open_event(uint64_t config, int thread) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr int kAnyProcessor = -1, kNoGroup = -1;
  const long fd = syscall(SYS_perf_event_open, &attributes, thread, kAnyProcessor, kNoGroup,
                          PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) refuse(errno);
  return FileDescriptor(static_cast<int>(fd));
}

// The count, scaled where the processor had too few counters for all of the time.
double value_of(const FileDescriptor& event) {
  struct {
    uint64_t value, enabled, running;
  } reading{};
  if (read(event.get(), &reading, sizeof(reading)) != sizeof(reading)) refuse(errno);
  if (reading.running == 0) return 0;
  return static_cast<double>(reading.value) * static_cast<double>(reading.enabled) /
         static_cast<double>(reading.running);
}

std::vector<int> threads_of_this_process() {
  std::vector<int> ids;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error))
    ids.push_back(std::stoi(entry.path().filename().string()));
  if (ids.empty())
    throw CountersUnavailable(CountersFailureKind::failed,
                              "/proc does not list the threads of this process",
                              "mount /proc (a container has it unless told otherwise)");
  return ids;
}

}  // namespace

Counters count_by_perf(const std::function<void()>& work) {
  std::array<std::vector<FileDescriptor>, kEvents.size()> events;
  for (const int thread : threads_of_this_process())
    for (size_t i = 0; i < kEvents.size(); ++i)
      events[i].push_back(open_event(kEvents[i].config, thread));
  const auto all = [&](unsigned long request) {
    for (const auto& of_kind : events)
      for (const FileDescriptor& event : of_kind) ioctl(event.get(), request, 0);
  };
  all(PERF_EVENT_IOC_ENABLE);
  const auto begin = Clock::now();
  work();
  const double seconds = seconds_since(begin);
  all(PERF_EVENT_IOC_DISABLE);
  Counters counters;
  counters.seconds = seconds;
  for (size_t i = 0; i < kEvents.size(); ++i) {
    double sum = 0;
    for (const FileDescriptor& event : events[i]) sum += value_of(event);
    counters.*kEvents[i].member = sum;
  }
  return counters;
}

}  // namespace alsbench
