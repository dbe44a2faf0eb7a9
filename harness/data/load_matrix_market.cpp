// SPDX-License-Identifier: Apache-2.0
// Loader of MatrixMarket coordinate files (NIST: real, integer, pattern; general, symmetric).
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "harness/data/text_reader.h"

namespace alsbench {
namespace {

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner parse_banner(const TextPiece& whole) {
  const std::string_view beginning = whole.text.substr(0, kLongestLine);
  const std::string_view line = beginning.substr(0, beginning.find_first_of("\r\n"));
  const std::string banner = lower(line);
  std::vector<std::string_view> words;
  split_fields(banner, " ", words);
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : std::string_view(); };
  const bool known = word(0) == "%%matrixmarket" && word(1) == "matrix" &&
                     word(2) == "coordinate" &&
                     (word(3) == "real" || word(3) == "integer" || word(3) == "pattern") &&
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

void parse_entries(LineReader& reader, const Banner& banner, const Sizes& sizes, RawRatings& raw) {
  std::vector<std::string_view> fields;
  std::vector<int64_t>& lines = raw.pieces.back().lines;
  const auto add = [&](uint64_t row, uint64_t col, float value) {
    raw.users.numbers.push_back(row);
    raw.items.numbers.push_back(col);
    raw.values.push_back(value);
    lines.push_back(reader.line_number());
  };
  const size_t needed = banner.pattern ? 2 : 3;
  uint64_t entries = 0;
  for (; reader.next(); ++entries) {
    if (entries == sizes.entries) {
      reader.fail(
          fmt::format("more entries than the {} announced; correct the size line", sizes.entries));
    }
    if (split_fields(reader.line(), " ", fields) != needed) {
      reader.fail(fmt::format("{} has {} field(s), expected {}; correct the line",
                              shown(reader.line()), fields.size(), needed));
    }
    const uint64_t row = require_number(reader, fields[0], "row");
    const uint64_t col = require_number(reader, fields[1], "column");
    if (row < 1 || row > sizes.rows || col < 1 || col > sizes.cols) {
      reader.fail(fmt::format("entry ({}, {}) lies outside [1, {}] x [1, {}]; correct the line",
                              row, col, sizes.rows, sizes.cols));
    }
    const float value = banner.pattern ? 1.0f : require_rating(reader, fields[2]);
    add(row, col, value);
    if (banner.symmetric && row != col) add(col, row, value);
  }
  if (entries < sizes.entries) {
    reader.fail(fmt::format("the file ends after {} of {} entries; it is truncated", entries,
                            sizes.entries));
  }
}

}  // namespace

RawRatings load_matrix_market(const std::filesystem::path& path) {
  RawRatings raw;
  const auto file = MappedFile::open(path);
  const TextPiece whole = without_blank_lines({path, without_bom(file->text()), 1});
  const Banner banner = parse_banner(whole);
  LineReader reader(whole);
  const Sizes sizes = parse_sizes(reader, banner.symmetric);
  if (sizes.entries == 0) reader.fail("announces no entries: the file holds no ratings");
  raw.pieces.push_back({path, 0, {}});
  parse_entries(reader, banner, sizes, raw);
  raw.stated_rows = static_cast<int64_t>(sizes.rows);
  raw.stated_cols = static_cast<int64_t>(sizes.cols);
  raw.first_index = 1;
  return raw;
}

}  // namespace alsbench
