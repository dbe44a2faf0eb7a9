// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/error.h"
#include "harness/data/text_reader.h"
#include "harness/files/input_file.h"

namespace alsbench {

TextOptions ModelIds::text(const std::string& columns) const {
  return {{users.text(), items.text()}, Times::left_out, ColumnChoice(columns)};
}

Csr ModelIds::ratings(const RatingFile& file) {
  const Format format = format_of(file.path, file.format);
  return cells(file, load_part(file.path, format, file.part, text(file.columns)));
}

Csr ModelIds::ratings(const std::shared_ptr<const RatingSet>& set, RatingPart part) {
  return cells({set->id, {}, {}, part, Duplicates::error, {}}, ratings_of(set, part));
}

Array<int32_t> ModelIds::known_rows(const std::string& file, const RawIds& ids, IdTable& table) {
  Array<int32_t> rows = table.rows_of(ids);
  std::vector<bool> found(static_cast<size_t>(table.size()));
  for (const int32_t row : rows) found[static_cast<size_t>(row)] = true;
  const auto all = std::count(found.begin(), found.end(), true);
  const auto unknown = std::count(found.begin() + table.known(), found.end(), true);
  const char* what = &table == &users ? "users" : "items";
  if (unknown == all)
    throw UsageError(fmt::format(
        "{}: none of its {} {} is in the model; give a file with the ids of the training ratings",
        file, all, what));
  if (2 * unknown >= all)
    warnings_.push_back(fmt::format(
        "{}: {} of its {} {} are not in the model: has it the ids of the training ratings?", file,
        unknown, all, what));
  return rows;
}

Csr ModelIds::cells(const RatingFile& file, const RawRatings& raw) {
  const auto of_side = [&](Side side, const RawIds& ids, IdTable& table) {
    return file.new_rows == side ? table.rows_of(ids) : known_rows(file.path.string(), ids, table);
  };
  const Array<int32_t> rows = of_side(Side::x, raw.users, users),
                       cols = of_side(Side::theta, raw.items, items);
  return cells_of(raw, rows, cols, {.rows = users.size(), .cols = items.size()}, file.duplicates);
}

RowPairs ModelIds::pairs(const std::filesystem::path& path, const std::string& columns) {
  const RawRatings raw = load_pairs(path, text(columns));
  const Array<int32_t> user_rows = known_rows(path.string(), raw.users, users),
                       item_rows = known_rows(path.string(), raw.items, items);
  return {{user_rows.begin(), user_rows.end()}, {item_rows.begin(), item_rows.end()}};
}

std::vector<int32_t> ModelIds::user_list(const std::filesystem::path& path) {
  return list(path, users, "user");
}

std::vector<int32_t> ModelIds::item_list(const std::filesystem::path& path) {
  return list(path, items, "item");
}

namespace {

// The id on a line: in quotes it stands as in a file of pairs, unless an id of the model has them.
std::string id_on(std::string_view line, const IdTable& table) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const bool quoted = line.size() >= 2 && is_quoted(line) && line.back() == '"';
  return quoted && !table.knows(std::string(line)) ? plain(line) : std::string(line);
}

}  // namespace

std::vector<int32_t> ModelIds::list(const std::filesystem::path& path, IdTable& table,
                                    const char* what) {
  check_input(path);
  const InputFile file = open_input(path);
  const TextPiece whole{file.name, without_bom(file.bytes->text()), 1};
  LineReader reader(whole);
  RawIds ids;
  ids.text = true;
  std::deque<std::string> texts;
  uint64_t number = 0;
  while (reader.next()) {
    const std::string& id = texts.emplace_back(id_on(reader.line(), table));
    if (parse_id(id, number) == IdKind::wrong)
      reader.fail(fmt::format("{} is no {} id; give one a line", shown(reader.line()), what));
    ids.texts.push_back(id);
  }
  if (ids.texts.empty())
    throw UsageError(fmt::format("{}: holds no {}; give an id a line", path.string(), what));
  std::vector<int32_t> codes(ids.texts.size());
  std::iota(codes.begin(), codes.end(), 0);
  ids.codes = Array<int32_t>(std::move(codes));
  const Array<int32_t> rows = known_rows(path.string(), ids, table);
  return {rows.begin(), rows.end()};
}

}  // namespace alsbench
