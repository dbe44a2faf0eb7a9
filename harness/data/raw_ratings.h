// SPDX-License-Identifier: Apache-2.0
// Output of every loader: ratings with original ids, in the order of the file, and the place of
// each. compact() turns them into rating cells with dense ids.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/column_choice.h"
#include "harness/data/csr.h"
#include "harness/data/dataset.h"
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
// Throws UsageError where the path is something, but neither a file nor a folder.
void check_readable(const std::filesystem::path& path);
// That of a name, or by content where there is none. Throws UsageError where nothing is there.
Format format_of(const std::filesystem::path& path, const std::string& name);

// One column of ids: integers, or texts that live in the mapped files or next to them.
struct RawIds {
  bool text = false;
  std::vector<uint64_t> numbers;
  std::vector<std::string_view> texts;

  size_t size() const { return text ? texts.size() : numbers.size(); }
};

// The ratings of one piece of one file, for messages: rating i of the piece is at `lines[i]`.
struct RawPiece {
  std::filesystem::path file;
  int64_t first_rating = 0;
  std::vector<int64_t> lines;  // empty for binary files: the place is the entry's number
};

struct RawRatings {
  RawIds users;
  RawIds items;
  std::vector<float> values;
  std::vector<int64_t>
      times;  // seconds since 1970 or what the file counts; where they were asked for
  std::vector<RawPiece> pieces;
  // Set where the format states its shape: ids are then matrix indices, kept as they are, empty
  // rows and columns included.
  int64_t stated_rows = 0;
  int64_t stated_cols = 0;
  uint64_t first_index = 0;                              // of stated shapes: 1 for MatrixMarket
  std::vector<std::shared_ptr<const MappedFile>> files;  // keep the texts alive
  // Texts that no file holds as they are.
  std::vector<std::shared_ptr<const std::string>> own_texts;

  // "ratings.csv:17" of rating `i`.
  std::string place_of(int64_t i) const;
};

// Whether a column of ids is read as text although all of its ids may be integers.
struct TextIds {
  bool users = false;
  bool items = false;
};

// Whether the times of ratings are read, too.
enum class Times { left_out, read };

// How the lines of a text are read.
struct TextOptions {
  TextIds ids = {};
  Times times = Times::left_out;
  ColumnChoice columns = {};
};

// Whether a line has columns for user, item and rating.
bool has_columns(Format format);
// Throw UsageError where the format has no times, or no columns and some are chosen.
void check_times(const std::filesystem::path& path, Format format);
void check_columns(const std::filesystem::path& path, Format format, const ColumnChoice& choice);
RawRatings load_raw(const std::filesystem::path& path, Format format,
                    const TextOptions& options = {});
// How load_raw reads the columns, by the first line: "csv: user 'uid', item 'sku', rating 'qty'".
// Empty of a format that leaves no choice.
std::string reading_of(const std::filesystem::path& path, Format format,
                       const TextOptions& options);
// The loaders behind load_raw.
RawRatings load_text(const std::filesystem::path& path, Format format, const TextOptions& options);
RawRatings load_matrix_market(const std::filesystem::path& path);
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
// Users and items of a text file without ratings (the values are 0), in its order. The format is
// tsv, dat, csv or separated by blanks. A header that names both is optional.
RawRatings load_pairs(const std::filesystem::path& path, const TextOptions& options = {});

// The ratings of `raw` as cells of a rows x cols matrix, duplicates resolved: rating i is at
// (row_of[i], col_of[i]).
Csr cells_of(const RawRatings& raw, const std::vector<int32_t>& row_of,
             const std::vector<int32_t>& col_of, const Shape& shape, Duplicates duplicates);

// Original ids in ascending order, each standing for the compact id of its place.
class IdMap {
 public:
  IdMap() = default;
  IdMap(const RawIds& ids, int64_t stated, uint64_t first_index);

  int64_t size() const { return stated_ > 0 ? stated_ : static_cast<int64_t>(names_count()); }
  // The compact ids of `ids`; unseen ones are appended in ascending order.
  std::vector<int32_t> map(const RawIds& ids);
  // Original ids as text; empty where they are the compact ones.
  std::vector<std::string> names() const;
  bool has_names() const { return text_ || stated_ == 0 || first_index_ != 0; }

 private:
  size_t names_count() const { return text_ ? texts_.size() : numbers_.size(); }
  void append_unseen(const RawIds& ids);

  bool text_ = false;
  int64_t stated_ = 0;
  uint64_t first_index_ = 0;
  size_t sorted_ = 0;  // the first that many are ascending, the appended ones too
  std::vector<uint64_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace alsbench
