// SPDX-License-Identifier: Apache-2.0
// When ratings were made: as files write it, and as the order of the cells of a matrix.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/rating_time.h"
#include "harness/data/text_blocks.h"

namespace alsbench {

// A time as a number, or as a date of ISO 8601 with or without a time of day: "2005-09-06",
// "2005-09-06 23:59:59.25", "2005-09-06T23:59:59+02:00". A date becomes seconds since 1970 in UTC;
// one without an offset is taken as UTC. False for anything else.
bool parse_time(std::string_view field, RatingTime& time);
// Writes a time as a number that parse_time reads as the same time: "1700000000.25".
void add_time(TextBlock& text, const RatingTime& time);

// The age of each rating: 0 for the latest, and no age twice. Of equal times the one that stands
// later is the younger.
std::vector<int64_t> ages_of(std::span<const RatingTime> times);

// Of several ratings of a cell the last one counts, or the one of the latest time.
enum class OfSeveral { last, latest };

// The age of each cell of `cells`. Rating i lies at (rows[i], cols[i]) and has ages[i].
std::vector<int64_t> ages_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                   std::span<const int32_t> cols, std::span<const int64_t> ages,
                                   OfSeveral counts);
// The time of each cell of `cells`, likewise.
Array<RatingTime> times_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                 std::span<const int32_t> cols, std::span<const RatingTime> times,
                                 OfSeveral counts);
// The times of the cells of `part`, which has some of the cells of `all`, whose times are `times`.
Array<RatingTime> times_of_part(const Csr& all, std::span<const RatingTime> times, const Csr& part);

}  // namespace alsbench
