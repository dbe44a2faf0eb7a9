// SPDX-License-Identifier: Apache-2.0
// Loader of MatrixMarket coordinate files (NIST: real, integer, pattern; general, symmetric).
#include <fmt/format.h>

#include <exception>
#include <memory>

#include "base/error.h"
#include "harness/data/plain_line.h"
#include "harness/data/text_pieces.h"
#include "harness/files/input_file.h"

namespace alsbench {
namespace {

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner parse_banner(const TextPiece& whole) {
  const std::string_view beginning = whole.text.substr(0, kLongestLine);
  const std::string_view line = beginning.substr(0, beginning.find_first_of("\r\n"));
  const std::string banner =
      lower(line).substr(std::min(line.find_first_not_of("% "), line.size()));
  std::vector<std::string_view> words;
  split_fields(banner, " ", words);
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : std::string_view(); };
  const bool known = is_matrix_market(line) && word(0) == "matrixmarket" && word(1) == "matrix" &&
                     word(2) == "coordinate" &&
                     (word(3) == "real" || word(3) == "integer" || word(3) == "pattern" ||
                      word(3) == "unsigned-integer") &&  // of scipy's unsigned types
                     (word(4) == "general" || word(4) == "symmetric");
  if (!known) {
    throw UsageError(
        fmt::format("{}:{}: {} is not supported; write the matrix as '%%MatrixMarket matrix "
                    "coordinate real|integer|pattern general|symmetric'",
                    whole.file.string(), whole.first_line, shown(line)));
  }
  return {.pattern = word(3) == "pattern", .symmetric = word(4) == "symmetric"};
}

struct Sizes {
  uint64_t rows = 0;
  uint64_t cols = 0;
  uint64_t entries = 0;
};

Sizes parse_sizes(LineReader& reader, bool symmetric) {
  std::vector<std::string_view> fields;
  if (!reader.next() || split_fields(reader.line(), " ", fields) != 3) {
    reader.fail("the size line 'rows columns entries' is missing; the file is truncated");
  }
  const Sizes sizes{require_number(reader, fields[0], "row count"),
                    require_number(reader, fields[1], "column count"),
                    require_number(reader, fields[2], "entry count")};
  constexpr uint64_t kMaxValue = (uint64_t{1} << 31) - 1;
  if (sizes.rows == 0 || sizes.cols == 0 || sizes.rows > kMaxValue || sizes.cols > kMaxValue) {
    reader.fail(fmt::format("shape {} x {}: rows and columns must be in [1, 2147483647]",
                            sizes.rows, sizes.cols));
  }
  if (symmetric && sizes.rows != sizes.cols) {
    reader.fail(fmt::format("a symmetric matrix of {} x {}: correct the banner or the sizes",
                            sizes.rows, sizes.cols));
  }
  return sizes;
}

// An entry a line: row and column from 1, and a value unless it is a pattern.
class EntryParser : public LineParser {
 public:
  EntryParser(const Banner& banner, const Sizes& sizes)
      : banner_(banner),
        sizes_(sizes),
        needed_(banner.pattern ? 2 : 3),
        plain_({.separator = " ", .rated = !banner.pattern, .count = needed_}) {}

  const char* plain_lines(const char* at, const char* end, PieceWriter& out) override {
    LineValues values;
    for (const char* next = at; plain_.take(next, end, {}, values); at = next) {
      if (!is_inside(values.user, values.item)) break;
      put(values.user, values.item, values.rating, out);
    }
    return at;
  }
  void line(const LineReader& reader, PieceWriter& out) override {
    if (split_fields(reader.line(), " ", fields_) != needed_) {
      reader.fail(fmt::format("{} has {} field(s), expected {}; correct the line",
                              shown(reader.line()), fields_.size(), needed_));
    }
    const uint64_t row = require_number(reader, fields_[0], "row");
    const uint64_t col = require_number(reader, fields_[1], "column");
    if (!is_inside(row, col)) {
      reader.fail(fmt::format("entry ({}, {}) lies outside [1, {}] x [1, {}]; correct the line",
                              row, col, sizes_.rows, sizes_.cols));
    }
    put(row, col, banner_.pattern ? 1.0f : require_rating(reader, fields_[2]), out);
  }
  uint64_t entries() const { return entries_; }

 private:
  bool is_inside(uint64_t row, uint64_t col) const {
    return row >= 1 && row <= sizes_.rows && col >= 1 && col <= sizes_.cols;
  }
  void put(uint64_t row, uint64_t col, float value, PieceWriter& out) {
    ++entries_;
    out.users.put(out.count, row - 1);
    out.items.put(out.count, col - 1);
    out.put_value(value);
    if (!banner_.symmetric || row == col) return;
    out.users.put(out.count, col - 1);
    out.items.put(out.count, row - 1);
    out.put_value(value);
  }

  Banner banner_;
  Sizes sizes_;
  size_t needed_;
  PlainLine plain_;
  uint64_t entries_ = 0;
  std::vector<std::string_view> fields_;
};

// How many entries there are. Throws where they are more than announced, or one is wrong.
uint64_t checked_entries(const std::vector<ParsedPiece>& pieces, uint64_t announced) {
  uint64_t entries = 0;
  for (const ParsedPiece& piece : pieces) {
    const uint64_t here = dynamic_cast<const EntryParser&>(*piece.parser).entries();
    if (entries + here + (piece.error ? 1 : 0) > announced) {
      LineReader reader(piece.text);
      for (; reader.next(); ++entries)
        if (entries == announced)
          reader.fail(
              fmt::format("more entries than the {} announced; correct the size line", announced));
    }
    if (piece.error) std::rethrow_exception(piece.error);
    entries += here;
  }
  return entries;
}

}  // namespace

RawRatings load_matrix_market(const std::filesystem::path& path) {
  const InputFile file = open_input(path);
  TextPiece whole = without_blank_lines(whole_of(file));
  const Banner banner = parse_banner(whole);
  LineReader reader(whole);
  const Sizes sizes = parse_sizes(reader, banner.symmetric);
  if (sizes.entries == 0) reader.fail("announces no entries: the file holds no ratings");
  TextPiece entries = whole;
  entries.first = whole.text.data();
  entries.text.remove_prefix(reader.position());
  TextLayout layout;
  layout.parser = [=] { return std::make_unique<EntryParser>(banner, sizes); };
  if (banner.symmetric)
    layout.most_ratings = [](std::string_view text) { return 2 * (line_ends_in(text) + 1); };
  layout.stated_rows = static_cast<int64_t>(sizes.rows);
  layout.stated_cols = static_cast<int64_t>(sizes.cols);
  layout.check = [&](const std::vector<ParsedPiece>& pieces) {
    const uint64_t read = checked_entries(pieces, sizes.entries);
    if (read == sizes.entries) return;
    while (reader.next()) {
    }
    reader.fail(
        fmt::format("the file ends after {} of {} entries; it is truncated", read, sizes.entries));
  };
  RawRatings raw = read_texts({entries}, layout, {});
  raw.owners.push_back(file.bytes);
  raw.users.first_index = raw.items.first_index = 1;
  raw.rated = !banner.pattern;
  return raw;
}

bool is_pattern(const std::filesystem::path& path) {
  const InputFile file = open_input(path, kInputBeginning);
  return parse_banner(without_blank_lines(whole_of(file))).pattern;
}

}  // namespace alsbench
