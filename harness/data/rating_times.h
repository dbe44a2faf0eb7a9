// SPDX-License-Identifier: Apache-2.0
// When ratings were made: as files write it, and as the order of the cells of a matrix.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench {

// Seconds since 1970, or what a file counts.
struct RatingTime {
  int64_t seconds = 0;
  int32_t nanoseconds = 0;  // from 0 up to a second

  auto operator<=>(const RatingTime&) const = default;
};

// A time as a number, or as a date of ISO 8601 with or without a time of day: "2005-09-06",
// "2005-09-06 23:59:59.25", "2005-09-06T23:59:59+02:00". A date becomes seconds since 1970 in UTC;
// one without an offset is taken as UTC. False for anything else.
bool parse_time(std::string_view field, RatingTime& time);

// The age of each rating: 0 for the latest, and no age twice. Of equal times the one that stands
// later is the younger.
std::vector<int64_t> ages_of(std::span<const RatingTime> times);

// The age of each cell of `cells`. Rating i lies at (rows[i], cols[i]) and has ages[i]; of several
// ratings of a cell the youngest counts.
std::vector<int64_t> ages_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                   std::span<const int32_t> cols, std::span<const int64_t> ages);

}  // namespace alsbench
