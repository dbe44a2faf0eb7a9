// SPDX-License-Identifier: Apache-2.0
// RatingTime: when a rating was made.
#pragma once

#include <compare>
#include <cstdint>

namespace alsbench {

// Seconds since 1970, or what a file counts. Set files hold it as it is in memory.
struct RatingTime {
  int64_t seconds = 0;
  int32_t nanoseconds = 0;  // from 0 up to a second
  int32_t unused = 0;       // else these bytes would have no value

  auto operator<=>(const RatingTime&) const = default;
};

}  // namespace alsbench
