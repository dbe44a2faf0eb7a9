// SPDX-License-Identifier: Apache-2.0
#include "harness/data/write_ratings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "harness/data/rating_times.h"
#include "harness/data/text_blocks.h"
#include "harness/data/text_reader.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_content.h"
#include "harness/files/npy_header.h"
#include "harness/files/zip_archive.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

bool blank_at_an_end(std::string_view id) { return id.starts_with(' ') || id.ends_with(' '); }
bool like_a_comment(std::string_view id) { return id.starts_with('#') || id.starts_with('%'); }

// Whether an id stays what it is in files without quoting: read as tsv, or as an integer of dat.
bool holds(Format format, const std::string& id, bool begins_line) {
  if (format == Format::tsv)
    return stays_in_tsv(id) && id.find("::") == std::string::npos &&
           !(begins_line && like_a_comment(id));
  return all_digits(id);
}

void check_ids(const RatingSet& set, Format format, const fs::path& path) {
  for (const std::vector<std::string>* ids : {&set.users, &set.items}) {
    for (const std::string& id : *ids) {
      if (!holds(format, id, ids == &set.users)) {
        throw UsageError(fmt::format("{}: {} cannot hold the id {}; write csv", path.string(),
                                     name_of(format), shown(id)));
      }
    }
  }
}

constexpr int64_t kBlockLines = int64_t{1} << 16;

// Writes the line that line(text, row, i) appends for each rating i.
template <class Line>
void write_cells(const WriteText& write, const Csr& ratings, const Line& line) {
  const int64_t* const offsets = ratings.offsets.data();
  const auto format = [&](int64_t block, TextBlock& text) {
    const int64_t begin = block * kBlockLines, end = std::min(ratings.nnz(), begin + kBlockLines);
    int64_t row = std::upper_bound(offsets, offsets + ratings.rows + 1, begin) - offsets - 1;
    for (int64_t i = begin; i < end; ++i) {
      while (offsets[row + 1] <= i) ++row;
      line(text, row, i);
    }
  };
  write_blocks((ratings.nnz() + kBlockLines - 1) / kBlockLines, format, write);
}

// The column of users or items: their names, or their numbers where there are no names.
class IdColumn {
 public:
  // `names` must outlive it.
  IdColumn(const std::vector<std::string>& names, bool csv) : names_(&names) {
    if (!csv) return;
    const auto stays = [](const std::string& name) { return csv_field(name) == name; };
    if (std::all_of(names.begin(), names.end(), stays)) return;
    std::transform(names.begin(), names.end(), std::back_inserter(quoted_), csv_field);
    names_ = &quoted_;
  }
  IdColumn(const IdColumn&) = delete;
  IdColumn& operator=(const IdColumn&) = delete;

  void add(TextBlock& text, int64_t id) const {
    names_->empty() ? text.add(id) : text.add((*names_)[static_cast<size_t>(id)]);
  }

 private:
  const std::vector<std::string>* names_;
  std::vector<std::string> quoted_;
};

std::string_view separator_of(Format format) {
  return format == Format::tsv ? "\t" : format == Format::dat ? "::" : ",";
}

void write_delimited(const RatingSet& set, const Csr& ratings, Format format, const fs::path& path,
                     std::span<const RatingTime> times) {
  const bool csv = format == Format::csv;
  const std::string_view separator = separator_of(format);
  if (!csv) check_ids(set, format, path);
  const IdColumn users(set.users, csv), items(set.items, csv);
  replace_content(path, [&](const WriteText& write) {
    if (csv) write(times.empty() ? "userId,movieId,rating\n" : "userId,movieId,rating,timestamp\n");
    write_cells(write, ratings, [&](TextBlock& text, int64_t row, int64_t i) {
      users.add(text, row);
      text.add(separator);
      items.add(text, ratings.indices[i]);
      text.add(separator, ratings.values[i]);
      if (!times.empty()) {
        text.add(separator);
        add_time(text, times[static_cast<size_t>(i)]);
      }
      text.add('\n');
    });
  });
}

void write_indices(const Csr& ratings, Format format, const fs::path& path) {
  const int64_t first = format == Format::matrix_market ? 1 : 0;
  replace_content(path, [&](const WriteText& write) {
    if (format == Format::matrix_market) {
      write(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", ratings.rows,
                        ratings.cols, ratings.nnz()));
    }
    write_cells(write, ratings, [&](TextBlock& text, int64_t row, int64_t i) {
      text.add(row + first, ' ', ratings.indices[i] + first, ' ', ratings.values[i], '\n');
    });
  });
}

std::string npy(std::string_view type, std::string_view shape, const void* data, int64_t bytes) {
  std::string file = npy_header(type, shape);
  file.append(static_cast<const char*>(data), static_cast<size_t>(bytes));
  return file;
}

void write_npz(const Csr& ratings, const fs::path& path) {
  const auto length = [](int64_t count) { return fmt::format("({},)", count); };
  const int64_t shape[2] = {ratings.rows, ratings.cols};
  const std::vector<std::pair<std::string, std::string>> members{
      {"indices.npy",
       npy("'<i4'", length(ratings.nnz()), ratings.indices.data(), ratings.indices.bytes())},
      {"indptr.npy",
       npy("'<i8'", length(ratings.rows + 1), ratings.offsets.data(), ratings.offsets.bytes())},
      {"format.npy", npy("'|S3'", "()", "csr", 3)},
      {"shape.npy", npy("'<i8'", length(2), shape, sizeof shape)},
      {"data.npy",
       npy("'<f4'", length(ratings.nnz()), ratings.values.data(), ratings.values.bytes())},
  };
  constexpr zip_uint32_t kFastest = 1;  // ratings compress little
  write_zip(path, members, kFastest);
}

template <class To, class From>
void write_array(const fs::path& path, const Array<From>& values) {
  replace_content(path, [&](const WriteText& write) {
    const std::vector<To> converted(values.begin(), values.end());
    write_pieces({reinterpret_cast<const char*>(converted.data()), converted.size() * sizeof(To)},
                 write);
  });
}

void write_offsets(const fs::path& path, const Csr& matrix) {
  if (matrix.nnz() < int64_t{1} << 31) {
    write_array<int32_t>(path, matrix.offsets);
  } else {
    write_array<int64_t>(path, matrix.offsets);
  }
}

Array<int32_t> row_of_each(const Csr& matrix) {
  std::vector<int32_t> rows(static_cast<size_t>(matrix.nnz()));
  for (int64_t row = 0; row < matrix.rows; ++row) {
    std::fill(rows.begin() + matrix.offsets[row], rows.begin() + matrix.offsets[row + 1],
              static_cast<int32_t>(row));
  }
  return Array<int32_t>(std::move(rows));
}

}  // namespace

bool stays_in_tsv(std::string_view id) {
  return id.find('\t') == std::string_view::npos && !id.starts_with('"') && !blank_at_an_end(id);
}

std::string csv_field(const std::string& id) {
  if (id.find_first_of(",\"") == std::string::npos && !blank_at_an_end(id) && !like_a_comment(id))
    return id;
  std::string field = "\"";
  for (const char c : id) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

void write_ratings(const RatingSet& set, const Csr& ratings, Format format, const fs::path& path,
                   std::span<const RatingTime> times) {
  switch (format) {
    case Format::tsv:
    case Format::dat:
    case Format::csv:
      return write_delimited(set, ratings, format, path, times);
    case Format::libmf:
    case Format::matrix_market:
      return write_indices(ratings, format, path);
    case Format::npz:
      return write_npz(ratings, path);
    default:
      throw UsageError(fmt::format("{}: ratings are not written as {}; choose {}", path.string(),
                                   name_of(format), kWrittenFormats));
  }
}

std::vector<std::string> cumf_files() {
  std::vector<std::string> names;
  for (const char* stem : {"R_train_csr", "R_train_csc"})
    for (const char* part : {".data.bin", ".indices.bin", ".indptr.bin"})
      names.push_back(std::string(stem) + part);
  names.emplace_back("R_train_coo.row.bin");
  for (const char* part : {".row.bin", ".col.bin", ".data.bin"})
    names.push_back(std::string("R_test_coo") + part);
  return names;
}

void write_cumf(const RatingSet& set, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const auto write_compressed = [&](const std::string& stem, const Csr& matrix) {
    write_array<float>(folder / (stem + ".data.bin"), matrix.values);
    write_array<int32_t>(folder / (stem + ".indices.bin"), matrix.indices);
    write_offsets(folder / (stem + ".indptr.bin"), matrix);
  };
  write_compressed("R_train_csr", set.by_user);
  write_compressed("R_train_csc", set.by_item);
  write_array<int32_t>(folder / "R_train_coo.row.bin", row_of_each(set.by_user));
  write_array<int32_t>(folder / "R_test_coo.row.bin", row_of_each(set.test));
  write_array<int32_t>(folder / "R_test_coo.col.bin", set.test.indices);
  write_array<float>(folder / "R_test_coo.data.bin", set.test.values);
}

}  // namespace alsbench
