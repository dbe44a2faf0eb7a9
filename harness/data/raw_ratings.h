// SPDX-License-Identifier: Apache-2.0
// Output of every loader: ratings with original ids, in the order of the file, and the place of
// each. compact() turns them into rating cells with dense ids.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/column_choice.h"
#include "harness/data/csr.h"
#include "harness/data/dataset.h"
#include "harness/data/rating_times.h"
#include "harness/files/mapped_file.h"

namespace alsbench {

enum class Format {
  tsv,
  dat,
  csv,
  netflix,
  kddcup,
  libmf,
  adjacency,
  matrix_market,
  cumf,
  npz,
  alsset
};

std::string_view name_of(Format format);
// Throws UsageError naming the known formats.
Format format_named(std::string_view name);
// By content; throws UsageError saying what was found.
Format detect_format(const std::filesystem::path& path);
// That of a name, or by content where there is none. Throws UsageError where nothing is there.
Format format_of(const std::filesystem::path& path, const std::string& name);

// One column of ids: rating i has the id number codes[i] of the distinct ones, which ascend where a
// file was read. They are integers, or texts that live in the mapped files or next to them. Where
// the format states its shape, codes are indices of the matrix from 0, empty rows and columns
// included, and the id of each is its index.
struct RawIds {
  bool text = false;
  std::vector<uint64_t> numbers;
  std::vector<std::string_view> texts;
  int64_t stated = 0;        // how many there are, where the format says it
  uint64_t first_index = 0;  // of stated shapes: 1 for MatrixMarket
  Array<int32_t> codes;      // of the ratings

  int64_t size() const { return codes.size(); }
  int64_t distinct() const {
    return stated > 0 ? stated : text ? std::ssize(texts) : std::ssize(numbers);
  }
  // The id of a code, of a column that is no text.
  uint64_t number(int32_t code) const {
    return stated > 0 ? static_cast<uint64_t>(code) + first_index
                      : numbers[static_cast<size_t>(code)];
  }
};

// Makes texts of the ids of a column, which `owners` then keep. Numbers among them are written
// alike: 7 for 7.0, too.
void write_numbers(RawIds& ids, std::vector<std::shared_ptr<const void>>& owners);

// A run of whole lines of one file.
struct TextPiece {
  std::filesystem::path file;
  std::string_view text;
  int64_t first_line = 1;
  const char* first = nullptr;      // where that line begins, if not with the text
  bool in_file = false;             // whether the text is that of a mapped file
  std::string_view separator = {};  // of fields, where a line of its own said it
};

// The ratings of one piece of one file, for messages.
struct RawPiece {
  TextPiece text;  // the file alone where it is binary: the place is the entry's number
  int64_t first_rating = 0;
};

struct RawRatings {
  RawIds users;
  RawIds items;
  Array<float> values;
  int64_t left_out = 0;     // lines, as --values says
  bool rated = true;        // whether the lines have ratings; without, each is 1
  bool headed = false;      // whether a header names the columns
  Array<RatingTime> times;  // where they were asked for, and each rating has one
  int64_t untimed = -1;     // the first rating that has none, where they were asked for
  std::vector<RawPiece> pieces;
  // The line of rating `i` of a piece; of binary files there is none.
  std::function<int64_t(const TextPiece& piece, int64_t i)> line_of;
  std::vector<std::shared_ptr<const void>> owners;  // keep texts and pieces alive

  // "ratings.csv:17" of rating `i`.
  std::string place_of(int64_t i) const;
};

// Whether a column of ids is read as text although all of its ids may be integers.
struct TextIds {
  bool users = false;
  bool items = false;
};

// Whether the times of ratings are read, too: not, always, or where each rating has one. Those that
// are looked for are not read: more than one column may have them.
enum class Times { left_out, read, if_there, looked_for };

// How the lines of a text are read.
struct TextOptions {
  TextIds ids = {};
  Times times = Times::left_out;
  ColumnChoice columns = {};
};

// Whether a line has columns for user, item and rating.
bool has_columns(Format format);
// The files of a folder as Spark and Hadoop write them, "part-00000" and so on, in the order of
// their names and without empty ones; none of another folder.
std::vector<std::filesystem::path> part_files(const std::filesystem::path& folder);
// Whether a file of the format may hold the times of ratings.
bool holds_times(Format format);
// Whether a file of the format holds ids; others have the numbers of rows and columns.
bool holds_ids(Format format);
// Throw UsageError where the format has no times, or no columns and some are chosen.
void check_times(const std::filesystem::path& path, Format format);
void check_columns(const std::filesystem::path& path, Format format, const ColumnChoice& choice);
RawRatings load_raw(const std::filesystem::path& path, Format format,
                    const TextOptions& options = {});
// Whether ratings of the format have times, by the first line.
bool has_times(const std::filesystem::path& path, Format format, const ColumnChoice& choice);
// Whether the ratings of a file have values; those of pairs of user and item count as 1.
bool has_values(const std::filesystem::path& path, Format format, const ColumnChoice& choice);
// How load_raw reads the columns, by the first line:
// "csv: user 'uid', item 'sku', rating 'qty'; fields end at ','".
// Empty of a format that leaves no choice.
std::string reading_of(const std::filesystem::path& path, Format format,
                       const TextOptions& options);
// "1 of 4 columns is not read"; empty where all are, or the format has none.
std::string unread_columns_of(const std::filesystem::path& path, Format format,
                              const TextOptions& options);
// The fields of the columns that load_raw reads, of the first `count` ratings, below the columns'
// names. Empty of a format without columns.
std::vector<std::vector<std::string>> first_ratings_of(const std::filesystem::path& path,
                                                       Format format, const TextOptions& options,
                                                       size_t count);
// Which comment may be meant for a line, of ratings or of pairs: "line 3, '#1,2,5', is a comment
// ..."; or empty.
std::string comment_of(const std::filesystem::path& path, Format format, const TextOptions& options,
                       bool rated = true);
// Which text id of ratings, or of pairs, is that of another line because blanks are cut: "line 7:
// the user ' a' ..."; or empty.
std::string merged_id_of(const std::filesystem::path& path, Format format,
                         const TextOptions& options, bool rated = true);
// The loaders behind load_raw.
RawRatings load_text(const std::filesystem::path& path, Format format, const TextOptions& options);
RawRatings load_matrix_market(const std::filesystem::path& path);
bool is_pattern(const std::filesystem::path& path);  // of MatrixMarket: without values
RawRatings load_cumf(const std::filesystem::path& folder);
RawRatings load_npz(const std::filesystem::path& path);
// The test ratings that a cuMF folder holds in addition to the training ratings; none when it has
// none.
RawRatings load_cumf_test(const std::filesystem::path& folder);

// Which ratings of a path: cuMF folders and set files may hold both parts, other formats hold one.
enum class RatingPart { train, test };
// Those of any format. Of a path without test ratings `test` gives all.
RawRatings load_part(const std::filesystem::path& path, Format format, RatingPart part,
                     const TextOptions& options = {});
// Those of a set, which they keep alive.
RawRatings ratings_of(const std::shared_ptr<const RatingSet>& set, RatingPart part);
// Users and items of a text file without ratings (the values are 1), in its order. The format is
// tsv, dat, csv or separated by blanks. A header that names both is optional.
RawRatings load_pairs(const std::filesystem::path& path, const TextOptions& options = {});

// "r.csv:3: the same user and item as r.csv:1", of the first two ratings at the cell: rating i is
// at (row_of[i], col_of[i]).
std::string places_of_cell(const RawRatings& raw, std::span<const int32_t> row_of,
                           std::span<const int32_t> col_of, const Rating& cell);
// The ratings of `raw` as cells of a rows x cols matrix, duplicates resolved.
Csr cells_of(const RawRatings& raw, const Array<int32_t>& row_of, const Array<int32_t>& col_of,
             const Shape& shape, Duplicates duplicates);

// The ids of a set: those of its training ratings in ascending order, each standing for the compact
// id of its place, then those that only its test ratings have.
class IdMap {
 public:
  explicit IdMap(const RawIds& training);

  int64_t size() const {
    return stated_ > 0 ? stated_ : text_ ? std::ssize(texts_) : std::ssize(numbers_);
  }
  // The compact id of each rating; unseen ids are appended in ascending order.
  Array<int32_t> add(const RawIds& test);
  // Original ids as text; empty where they are the compact ones.
  std::vector<std::string> names() const;
  bool has_names() const { return text_ || stated_ == 0 || first_index_ != 0; }

 private:
  bool text_ = false;
  int64_t stated_ = 0;
  uint64_t first_index_ = 0;
  std::vector<uint64_t> numbers_;
  std::vector<std::string_view> texts_;
};

}  // namespace alsbench
