// SPDX-License-Identifier: Apache-2.0
#include "harness/device/other_work.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <mutex>

#include "base/clock.h"
#include "harness/files/processor_time.h"

namespace alsbench {
namespace {

// Three standard deviations of what is counted by ticks, at worst: of processors that work half of
// the time.
double error_of(int processors, double seconds) {
  constexpr double kTicks = 100;  // a second
  return 1.5 / std::sqrt(kTicks * processors * seconds);
}

}  // namespace

double own_processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void OtherWork::add(const Reading& now) {
  // One that is old enough is kept.
  while (readings_.size() > 1 && readings_[1].at <= now.at - kMinSeconds) readings_.pop_front();
  readings_.push_back(now);
}

std::optional<OthersShare> OtherWork::since(double begin) const {
  if (readings_.size() < 2) return std::nullopt;
  const Reading& last = readings_.back();
  begin = std::min(begin, last.at - kMinSeconds);
  // The youngest reading before the begin, else the oldest.
  auto first = std::find_if(readings_.rbegin() + 1, readings_.rend(),
                            [&](const Reading& reading) { return reading.at <= begin; });
  if (first == readings_.rend()) --first;
  const double seconds = last.at - first->at;
  if (!(seconds > 0) || last.processors < 1) return std::nullopt;
  const double others = (last.busy - first->busy) - (last.own - first->own);
  return OthersShare{std::clamp(others / (seconds * last.processors), 0.0, 1.0),
                     std::min(1.0, error_of(last.processors, seconds)), last.processors};
}

std::optional<OthersShare> others_share_since(double begin) {
  constexpr double kMinInterval = 0.05;  // seconds
  static std::mutex mutex;
  static OtherWork work;
  static double last = -kMinInterval;
  static bool known = false;
  const std::lock_guard lock(mutex);
  const double now = steady_seconds();
  if (now - last >= kMinInterval) {
    last = now;
    const std::optional<ProcessorTime> time = processor_time();
    if (time) work.add({now, time->busy_seconds, own_processor_seconds(), time->processors});
    known = time.has_value();
  }
  constexpr OthersShare kTooEarly{0, 1};
  return known ? std::optional(work.since(begin).value_or(kTooEarly)) : std::nullopt;
}

}  // namespace alsbench
