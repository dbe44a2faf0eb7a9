// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/column_names.h"
#include "harness/data/data_warnings.h"
#include "harness/data/text_reader.h"
#include "harness/files/input_file.h"
#include "harness/files/piped_table.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {

namespace {

std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  if (parse_id(text, number) != IdKind::number) return std::nullopt;
  return number;
}

// As a column of numbers is written: 7, not 07.
bool is_written_number(const std::string& id) {
  const auto number = number_in(id);
  return number && std::to_string(*number) == id;
}

std::string id_text(const RawIds& ids, int32_t code) {
  return ids.text ? std::string(ids.texts[static_cast<size_t>(code)])
                  : std::to_string(ids.number(code));
}

// Whether a pair of texts that no model has looks like a header: a number follows in the next pair,
// or one of them is the name of a column.
bool looks_like_header(const RawRatings& raw, const std::array<std::string, 2>& first) {
  const auto is_number = [](const std::string& id) { return number_in(id).has_value(); };
  if (std::ranges::any_of(first, is_number)) return false;
  for (const ColumnRole role : {ColumnRole::user, ColumnRole::item})
    for (const std::string& id : first)
      if (match_of(id, role) == Match::exact) return true;
  return raw.users.size() > 1 && (is_number(id_text(raw.users, raw.users.codes[1])) ||
                                  is_number(id_text(raw.items, raw.items.codes[1])));
}

}  // namespace

TextOptions ModelIds::text(const ColumnChoice& columns) const {
  return {{users.text(), items.text()}, Times::left_out, columns};
}

Csr ModelIds::ratings(const RatingFile& file) {
  const Format format = format_of(file.path, file.format);
  const RawRatings raw = load_part(file.path, format, file.part, text(file.columns));
  if (const auto note = left_out_note(raw.left_out, file.columns.values()); !note.empty())
    notes_.push_back(fmt::format("{}: {}", file.path.string(), note));
  doubt_text(file.path, comment_of(file.path, format, text(file.columns)));
  doubt_text(file.path, merged_id_of(file.path, format, text(file.columns)));
  return cells(file, raw);
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
  doubt_new_ids(file);
  return cells_of(raw, rows, cols, {.rows = users.size(), .cols = items.size()}, file.duplicates);
}

void ModelIds::doubt_text(const std::filesystem::path& path, const std::string& doubt) {
  if (!doubt.empty()) warnings_.push_back(fmt::format("{}: {}", path.string(), doubt));
}

void ModelIds::doubt_first_pair(const RawRatings& raw, const ColumnChoice& columns) {
  if (!columns.empty()) return;
  const std::string user = id_text(raw.users, raw.users.codes[0]),
                    item = id_text(raw.items, raw.items.codes[0]);
  if (users.row_of(user) >= 0 || items.row_of(item) >= 0) return;
  const auto names = [](const std::string& id, ColumnRole role) {
    return match_of(id, role) == Match::exact;
  };
  const bool swapped = names(user, ColumnRole::item) || names(item, ColumnRole::user);
  std::string doubt = fmt::format(
      "{}: {} is no user and {} no item of the model; if this line names the columns, say which "
      "they are, such as --columns user={},item={}; if it is a pair, give --columns user=1,item=2",
      raw.place_of(0), shown(user), shown(item), swapped ? item : user, swapped ? user : item);
  if (looks_like_header(raw, {user, item})) throw UsageError(doubt);
  if (raw.users.text && raw.items.text) warnings_.push_back(std::move(doubt));
}

void ModelIds::doubt_new_ids(const RatingFile& file) {
  if (!file.new_rows) return;
  const bool of_users = *file.new_rows == Side::x;
  const IdTable& table = of_users ? users : items;
  std::vector<std::string> added;
  for (int64_t row = table.known(); row < table.size(); ++row) added.push_back(table.id(row));
  const bool columns = has_columns(format_of(file.path, file.format));
  for (const std::string& doubt : id_warnings(added, of_users ? "user" : "item", columns))
    warnings_.push_back(fmt::format("{}: {}", file.path.string(), doubt));
}

RowPairs ModelIds::pairs(const std::filesystem::path& path, const ColumnChoice& columns) {
  const RawRatings raw = load_pairs(path, text(columns));
  const Format format = format_of(path, "");
  doubt_text(path, comment_of(path, format, text(columns), /* rated */ false));
  doubt_text(path, merged_id_of(path, format, text(columns), /* rated */ false));
  if (!raw.headed) doubt_first_pair(raw, columns);
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

// Whether a comment is a word, or has no blank behind its mark, as prose has.
bool may_be_id(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of("#%"), comment.size()));
  const size_t word = comment.find_first_not_of(" \t");
  return word == 0 || (word != std::string_view::npos &&
                       comment.find_first_of(" \t", word) == std::string_view::npos);
}

// Whether the first line of a list names its column, as that of a table does. That of a text does
// where it is the name of such a column, and no id of the model.
bool names_column(const LineReader& reader, bool of_table, const IdTable& table, ColumnRole role) {
  if (of_table) return true;
  const std::string name = id_on(reader.line(), table);
  return !table.knows(name) && match_of(name, role) == Match::exact;
}

// A table of ids has one column, in which floats stand for integers.
void check_table(const std::filesystem::path& path, std::string_view header, const char* what) {
  if (const std::string objection = objection_to_ids(path, 0); !objection.empty())
    throw UsageError(objection);
  const auto quotes = std::count(header.begin(), header.end(), '"');
  if (header.find("\",\"") == std::string_view::npos || quotes < 4) return;
  throw UsageError(fmt::format("{}: has the columns {}; give a table with that of the {}s alone",
                               path.string(), header, what));
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
  std::string comment;  // the first that may be meant for an id
  uint64_t number = 0;
  const bool of_table = piped_table(path) != nullptr;
  const ColumnRole role = &table == &users ? ColumnRole::user : ColumnRole::item;
  bool first = true;
  while (reader.next_with_comments()) {
    if (first && (of_table || !is_comment(reader.line()))) {
      first = false;
      if (of_table) check_table(path, reader.line(), what);
      if (names_column(reader, of_table, table, role)) continue;
    }
    if (is_comment(reader.line()) && !table.knows(std::string(reader.line()))) {
      if (comment.empty() && may_be_id(reader.line()))
        comment = fmt::format("line {}, {}, is a comment, and no {} of the model: it is left out",
                              reader.line_number(), shown(reader.line()), what);
      continue;
    }
    const std::string& id = texts.emplace_back(id_on(reader.line(), table));
    if (parse_id(id, number) == IdKind::wrong)
      reader.fail(fmt::format("{} is no {} id; give one a line", shown(reader.line()), what));
    ids.texts.push_back(id);
  }
  doubt_text(path, comment);
  if (ids.texts.empty())
    throw UsageError(fmt::format("{}: holds no {}; give an id a line", path.string(), what));
  std::vector<int32_t> codes(ids.texts.size());
  std::iota(codes.begin(), codes.end(), 0);
  ids.codes = Array<int32_t>(std::move(codes));
  const Array<int32_t> rows = known_rows(path.string(), ids, table);
  return {rows.begin(), rows.end()};
}

IdTable::IdTable(std::vector<std::string> ids)
    : text_(!std::all_of(ids.begin(), ids.end(), is_written_number)),
      known_(static_cast<int64_t>(ids.size())),
      ids_(std::move(ids)) {
  for (size_t row = 0; row < ids_.size(); ++row) {
    if (text_)
      texts_.emplace(ids_[row], static_cast<int32_t>(row));
    else
      numbers_.emplace_back(*number_in(ids_[row]), static_cast<int32_t>(row));
  }
  std::sort(numbers_.begin(), numbers_.end());
}

int32_t IdTable::known_row(const RawIds& ids, int32_t code) const {
  if (text_) return known_row(id_text(ids, code));
  const auto number =
      ids.text ? number_in(ids.texts[static_cast<size_t>(code)]) : std::optional(ids.number(code));
  if (!number) return -1;
  return known_row(*number);
}

int32_t IdTable::known_row(const std::string& text) const {
  auto found = texts_.find(text);
  if (const auto other = other_writing(text); other && found == texts_.end())
    found = texts_.find(*other);
  return found == texts_.end() ? -1 : found->second;
}

int32_t IdTable::known_row(uint64_t number) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, 0));
  return found == numbers_.end() || found->first != number ? -1 : found->second;
}

int64_t IdTable::row_of(const std::string& text) const {
  const auto number = text_ ? std::nullopt : number_in(text);
  const int32_t known = text_ ? known_row(text) : number ? known_row(*number) : -1;
  if (known >= 0) return known;
  const auto unknown = [&](const std::string& id) {
    const auto found = unknown_.find(id);
    return found == unknown_.end() ? -1 : found->second;
  };
  const auto other = other_writing(text);
  const int32_t row = unknown(text);
  return row < 0 && other ? unknown(*other) : row;
}

int32_t IdTable::row_of_unknown(const RawIds& ids, int32_t code) {
  const auto [at, is_new] = unknown_.emplace(id_text(ids, code), static_cast<int32_t>(ids_.size()));
  if (is_new) ids_.push_back(at->first);
  return at->second;
}

Array<int32_t> IdTable::rows_of(const RawIds& ids) {
  std::vector<int32_t> row_of(static_cast<size_t>(ids.distinct()));
  FirstError error;
#pragma omp parallel for schedule(static)
  for (size_t code = 0; code < row_of.size(); ++code)
    error.run([&] { row_of[code] = known_row(ids, static_cast<int32_t>(code)); });
  error.rethrow();
  // New ids get rows in the order in which they come.
  if (std::find(row_of.begin(), row_of.end(), -1) != row_of.end())
    for (const int32_t code : ids.codes) {
      int32_t& row = row_of[static_cast<size_t>(code)];
      if (row < 0) row = row_of_unknown(ids, code);
    }
  ArrayBuilder<int32_t> rows(ids.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < rows.size(); ++i) rows[i] = row_of[static_cast<size_t>(ids.codes[i])];
  return rows.freeze();
}

}  // namespace alsbench
