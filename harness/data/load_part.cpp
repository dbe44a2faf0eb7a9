// SPDX-License-Identifier: Apache-2.0
// Ratings of one part of a path, and ratings as cells of a matrix.
#include <fmt/format.h>

#include "base/error.h"
#include "harness/data/duplicates.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/set_file.h"
#include "harness/files/input_file.h"

namespace alsbench {
namespace {

// The ids of a set's rows or columns. `raw` keeps the names alive.
RawIds ids_of(const std::shared_ptr<const RatingSet>& set, const std::vector<std::string>& names,
              int64_t count, RawRatings& raw) {
  RawIds ids;
  ids.text = !names.empty();
  if (ids.text)
    ids.texts.assign(names.begin(), names.end());
  else
    ids.stated = count;
  raw.owners.push_back(set);
  return ids;
}

}  // namespace

RawRatings ratings_of(const std::shared_ptr<const RatingSet>& set, RatingPart part) {
  const Csr& cells = part == RatingPart::test && set->test.nnz() > 0 ? set->test : set->by_user;
  RawRatings raw;
  raw.users = ids_of(set, set->users, cells.rows, raw);
  raw.items = ids_of(set, set->items, cells.cols, raw);
  raw.users.codes = rows_of_cells(cells.offsets.span());
  raw.items.codes = cells.indices;
  raw.values = cells.values;
  raw.pieces.push_back({{set->id, {}}, 0});
  return raw;
}

Format format_of(const std::filesystem::path& path, const std::string& name) {
  if (!std::filesystem::exists(input_path(path).file))
    throw UsageError(
        fmt::format("{}: does not exist; give a rating file or folder", path.string()));
  check_input(path);
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
    if (test.values.size() > 0) return test;
  }
  return load_raw(path, format, options);
}

std::string places_of_cell(const RawRatings& raw, std::span<const int32_t> row_of,
                           std::span<const int32_t> col_of, const Rating& cell) {
  std::vector<std::string> places;
  for (size_t i = 0; i < row_of.size() && places.size() < 2; ++i)
    if (row_of[i] == cell.row && col_of[i] == cell.col)
      places.push_back(raw.place_of(static_cast<int64_t>(i)));
  return fmt::format("{}: the same user and item as {}", places.at(1), places.at(0));
}

Csr cells_of(const RawRatings& raw, const Array<int32_t>& row_of, const Array<int32_t>& col_of,
             const Shape& shape, Duplicates duplicates) {
  const auto describe = [&](int64_t row, int32_t col) {
    return places_of_cell(raw, row_of.span(), col_of.span(), {static_cast<int32_t>(row), col, 0});
  };
  return resolve_duplicates(csr_of({row_of, col_of, raw.values}, shape.rows, shape.cols),
                            duplicates, describe);
}

}  // namespace alsbench
