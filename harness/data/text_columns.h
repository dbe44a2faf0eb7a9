// SPDX-License-Identifier: Apache-2.0
// Which fields of a line are user, item, rating and time: by --columns, a header or their place.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/column_choice.h"
#include "harness/data/text_reader.h"

namespace alsbench {

// Which fields of a line are what.
struct Columns {
  std::string_view separator;
  bool text_ids = false;  // ids may be texts
  bool rated = true;      // false: pairs of user and item, with or without more fields
  bool counted = false;   // such pairs are ratings of 1
  Times times = Times::left_out;
  std::array<size_t, kColumnRoles.size()> places{0, 1, 2, 3};
  size_t count = 0;                      // fields of every line: those of the first one
  std::vector<std::string> header = {};  // the names, where there is one
  NameValues values = {};                // of ratings that are names

  size_t of(ColumnRole role) const { return places[static_cast<size_t>(role)]; }
  bool csv() const { return separator == "," || separator == ";" || separator == "|"; }
  bool blanks() const { return separator == " "; }
  bool timed() const { return times != Times::left_out; }
  bool needs(ColumnRole role) const {
    return role == ColumnRole::rating ? rated : role != ColumnRole::time || timed();
  }
  size_t needed() const;  // fields of a line
  // Whether lines of both are read alike.
  bool alike(const Columns& other) const {
    return separator == other.separator && rated == other.rated && times == other.times &&
           places == other.places && count == other.count;
  }
};

// The fields of the line that the reader is at.
void split_line(const LineReader& reader, const Columns& columns,
                std::vector<std::string_view>& fields);

// The columns that are read.
std::vector<ColumnRole> needed_roles(const Columns& columns);

// Says how many fields the line has, where those are not as many as those of the first line.
[[noreturn]] void fail_field_count(const LineReader& reader, const Columns& columns, size_t fields);

// Reads the first line of `whole`, and removes it if it is a header. Of CSV, it says what separates
// fields. Lines of two fields are pairs of user and item. Finds the columns by `choice`, by the
// names of the header or of a comment right above the first line, or by their usual places. Throws
// UsageError that lists the columns where one is not known, or is known twice. Times that are read
// if they are there are left out then, or where the first line has none.
void find_columns(TextPiece& whole, const ColumnChoice& choice, Columns& columns);

// "line 3, '#1,2,5', is a comment", of the first comment that has as many fields as the lines, so
// that it may be meant for one of them, or for a header; empty where there is none.
std::string commented_line(const TextPiece& beginning, const Columns& columns);

// "user 'uid', item 'sku', rating 'qty'", or by their numbers where there is no header.
std::string text_of(const Columns& columns);

// "1 of 4 columns is not read"; empty where all are.
std::string unread_columns(const Columns& columns);

// "fields end at ','"
std::string separation_of(const Columns& columns);

}  // namespace alsbench
