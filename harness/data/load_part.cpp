// SPDX-License-Identifier: Apache-2.0
// Ratings of one part of a path, and ratings as cells of a matrix.
#include <fmt/format.h>

#include "base/error.h"
#include "harness/data/duplicates.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/set_file.h"

namespace alsbench {
namespace {

// The ids of a set's rows or columns, one for each of `places`. `raw` keeps the names alive.
RawIds ids_at(const std::shared_ptr<const RatingSet>& set, const std::vector<std::string>& names,
              const std::vector<int32_t>& places, RawRatings& raw) {
  RawIds ids;
  ids.text = !names.empty();
  if (ids.text) raw.own_texts.emplace_back(set, names.data());
  for (const int32_t place : places) {
    if (ids.text)
      ids.texts.emplace_back(names[static_cast<size_t>(place)]);
    else
      ids.numbers.push_back(static_cast<uint64_t>(place));
  }
  return ids;
}

}  // namespace

RawRatings ratings_of(const std::shared_ptr<const RatingSet>& set, RatingPart part) {
  const Csr& cells = part == RatingPart::test && set->test.nnz() > 0 ? set->test : set->by_user;
  std::vector<int32_t> rows;
  for (int64_t row = 0; row < cells.rows; ++row)
    rows.insert(rows.end(), static_cast<size_t>(cells.offsets[row + 1] - cells.offsets[row]),
                static_cast<int32_t>(row));
  RawRatings raw;
  raw.users = ids_at(set, set->users, rows, raw);
  raw.items = ids_at(set, set->items, {cells.indices.begin(), cells.indices.end()}, raw);
  raw.values.assign(cells.values.begin(), cells.values.end());
  raw.pieces.push_back({set->id, 0, {}});
  return raw;
}

void check_readable(const std::filesystem::path& path) {
  // Opening a pipe would wait for its writer.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path) &&
      !std::filesystem::is_directory(path))
    throw UsageError(fmt::format(
        "{}: is neither a file nor a folder; write it into a file and give that", path.string()));
}

Format format_of(const std::filesystem::path& path, const std::string& name) {
  if (!std::filesystem::exists(path))
    throw UsageError(
        fmt::format("{}: does not exist; give a rating file or folder", path.string()));
  check_readable(path);
  return name.empty() ? detect_format(path) : format_named(name);
}

RawRatings load_part(const std::filesystem::path& path, Format format, RatingPart part,
                     const TextOptions& options) {
  check_columns(path, format, options.columns);
  if (format == Format::alsset) {
    RatingSet set = read_set_file(path);
    set.id = path.string();  // of messages
    return ratings_of(std::make_shared<const RatingSet>(std::move(set)), part);
  }
  if (format == Format::cumf && part == RatingPart::test) {
    RawRatings test = load_cumf_test(path);
    if (!test.values.empty()) return test;
  }
  return load_raw(path, format, options);
}

Csr cells_of(const RawRatings& raw, const std::vector<int32_t>& row_of,
             const std::vector<int32_t>& col_of, const Shape& shape, Duplicates duplicates) {
  const auto count = static_cast<int64_t>(raw.values.size());
  std::vector<Rating> ratings(raw.values.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    ratings[at] = {row_of[at], col_of[at], raw.values[at]};
  }
  const auto describe = [&](int64_t row, int32_t col) {
    std::vector<std::string> places;
    for (size_t i = 0; i < ratings.size() && places.size() < 2; ++i) {
      if (ratings[i].row == row && ratings[i].col == col)
        places.push_back(raw.place_of(static_cast<int64_t>(i)));
    }
    return fmt::format("{}: the same user and item as {}", places.at(1), places.at(0));
  };
  return resolve_duplicates(build_csr(ratings, shape.rows, shape.cols), duplicates, describe);
}

}  // namespace alsbench
