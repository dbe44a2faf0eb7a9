// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_ids.h"

#include <fmt/format.h>

#include "harness/data/text_reader.h"
#include "variants/core/error.h"

namespace alsbench {

TextOptions ModelIds::text(const std::string& columns) const {
  return {{users.text(), items.text()}, Times::left_out, ColumnChoice(columns)};
}

Csr ModelIds::ratings(const RatingFile& file) {
  const Format format = format_of(file.path, file.format);
  return cells(load_part(file.path, format, file.part, text(file.columns)), file.duplicates);
}

Csr ModelIds::ratings(const std::shared_ptr<const RatingSet>& set, RatingPart part) {
  return cells(ratings_of(set, part), Duplicates::error);
}

Csr ModelIds::cells(const RawRatings& raw, Duplicates duplicates) {
  const std::vector<int32_t> rows = users.rows_of(raw.users), cols = items.rows_of(raw.items);
  return cells_of(raw, rows, cols, {.rows = users.size(), .cols = items.size()}, duplicates);
}

RowPairs ModelIds::pairs(const std::filesystem::path& path, const std::string& columns) {
  const RawRatings raw = load_pairs(path, text(columns));
  return {users.rows_of(raw.users), items.rows_of(raw.items)};
}

std::vector<int32_t> ModelIds::user_list(const std::filesystem::path& path) {
  check_readable(path);
  const auto file = MappedFile::open(path);
  const TextPiece whole{path, without_bom(file->text()), 1};
  LineReader reader(whole);
  RawIds ids{.text = true, .numbers = {}, .texts = {}};
  uint64_t number = 0;
  while (reader.next()) {
    if (parse_id(reader.line(), number) == IdKind::wrong)
      reader.fail(fmt::format("{} is no id of a user; give one a line", shown(reader.line())));
    ids.texts.push_back(reader.line());
  }
  if (ids.texts.empty())
    throw UsageError(fmt::format("{}: holds no user; give an id a line", path.string()));
  return users.rows_of(ids);
}

}  // namespace alsbench
