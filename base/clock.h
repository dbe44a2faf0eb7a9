// SPDX-License-Identifier: Apache-2.0
// The steady clock that everything on the host is timed by, in seconds.
#pragma once

#include <chrono>

namespace alsbench {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}
inline double seconds_since(Clock::time_point begin) {
  return seconds_between(begin, Clock::now());
}
// Since some moment before the program began.
inline double steady_seconds() { return seconds_since(Clock::time_point()); }

}  // namespace alsbench
