// SPDX-License-Identifier: Apache-2.0
// Which fields of a line are user, item, rating and time, by their place or by a header.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/data/text_reader.h"

namespace alsbench {

// Which fields of a line are what.
struct Columns {
  std::string_view separator;
  size_t user = 0;
  size_t item = 1;
  size_t rating = 2;
  bool text_ids = false;  // ids may be texts
  size_t time = 3;
  bool rated = true;   // false: pairs of user and item, with or without more fields
  bool timed = false;  // whether times are read

  bool csv() const { return separator == ","; }
  size_t needed() const { return std::max({user, item, rated ? rating : 0, timed ? time : 0}) + 1; }
  const char* names() const {
    if (timed) return "user, item, rating and time";
    return rated ? "user, item and rating" : "user and item";
  }
};

// The fields of the line that the reader is at.
void split_line(const LineReader& reader, const Columns& columns,
                std::vector<std::string_view>& fields);

// Cuts a header line (csv and tsv: the third field of the first line is no number) off `whole`, and
// finds the columns that it names. Throws UsageError where it names some of them only.
void take_header(TextPiece& whole, Columns& columns);

}  // namespace alsbench
