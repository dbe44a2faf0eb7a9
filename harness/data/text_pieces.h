// SPDX-License-Identifier: Apache-2.0
// Ratings of text files, read in parallel: pieces of whole lines, each into its own part of the
// columns. A format is a LineParser.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/data/id_column.h"
#include "harness/data/rating_times.h"
#include "harness/data/text_reader.h"

namespace alsbench {

// The ratings of one piece, `count` so far. Their ids and times are put first; the value counts.
struct PieceWriter {
  PieceIds users, items;
  float* values;
  RatingTime* times;  // null where they are not read
  int64_t count = 0;
  int64_t left_out = 0;                    // lines, as --values says
  int64_t untimed = -1;                    // the first rating without a time, where they are read
  std::deque<std::string> own_texts = {};  // of ids that wait, where the file has quotes in them

  void put_value(float value) { values[count++] = value; }
  TextIds text() const { return {users.text(), items.text()}; }
  // Whether ids were met that the columns do not hold: then the rest is of no use.
  bool outgrown() const {
    return users.needed() != users.storage() || items.needed() != items.storage();
  }
};

// A format: it reads the lines of one piece.
class LineParser {
 public:
  LineParser() = default;
  virtual ~LineParser() = default;
  LineParser(const LineParser&) = delete;
  LineParser& operator=(const LineParser&) = delete;

  // Reads lines that it can read fast; returns where the first one begins that it leaves.
  virtual const char* plain_lines(const char* at, const char*, PieceWriter&) { return at; }
  // Reads the line. Throws UsageError.
  virtual void line(const LineReader& reader, PieceWriter& out) = 0;
  // Called behind the last line. Throws UsageError.
  virtual void end(const LineReader&) {}
};

struct ParsedPiece {
  TextPiece text;
  std::unique_ptr<LineParser> parser;
  PieceWriter out;
  int thread = 0;  // that read it
  std::exception_ptr error = {};
};

struct TextLayout {
  std::function<std::unique_ptr<LineParser>()> parser;
  // Whether a line may begin a piece.
  bool (*starts_piece)(std::string_view line) = [](std::string_view) { return true; };
  // A text has no more ratings than this.
  int64_t (*most_ratings)(std::string_view text) = [](std::string_view text) {
    return line_ends_in(text) + (text.ends_with('\n') ? 0 : 1);
  };
  bool timed = false;
  // Of formats that state their shape: rows and columns, whose numbers then are indices from 0.
  int64_t stated_rows = 0, stated_cols = 0;
  // Throws where the pieces are wrong together.
  std::function<void(const std::vector<ParsedPiece>&)> check = {};
};

// The ratings of whole texts, which live as long as the result is used. `text` says which ids are
// read as texts, although all of them may be numbers. Throws the first UsageError in their order.
RawRatings read_texts(const std::vector<TextPiece>& wholes, const TextLayout& layout, TextIds text);

}  // namespace alsbench
