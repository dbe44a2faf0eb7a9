// SPDX-License-Identifier: Apache-2.0
// PlainLine: reads a line of columns in one pass, where it is as most files write it: digits, short
// decimals, texts without quotes or blanks around them. It leaves every other line, also a wrong
// one, to the readers of fields, so it decides nothing that these would decide otherwise.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/data/text_columns.h"

namespace alsbench {

struct LineValues {
  // Of a column that is read as text the text is set, of others the number.
  uint64_t user = 0, item = 0;
  std::string_view user_text, item_text;
  float rating = 1;  // that of a line without one
  int64_t time = 0;
};

class PlainLine {
 public:
  explicit PlainLine(const Columns& columns);

  // Takes the line that begins at `at`, and moves `at` behind its end. False where the line is not
  // plain, or does not end before `end`; then `at` is of no use.
  bool take(const char*& at, const char* end, TextIds text, LineValues& values) const;

 private:
  enum class Field { skipped, user, item, rating, time };
  bool take_field(Field field, const char*& at, const char* end, TextIds text,
                  LineValues& values) const;
  bool take_separator(const char*& at, const char* end) const;
  bool take_id(const char*& at, uint64_t& number) const;
  bool take_text(const char*& at, const char* end, std::string_view& text) const;
  bool skip(const char*& at, const char* end) const;
  bool separates(char c) const { return c == separator_ || (blanks_ && c == '\t'); }

  std::vector<Field> fields_;
  char separator_;  // the first byte
  bool blanks_, colons_, text_ids_;
};

}  // namespace alsbench
