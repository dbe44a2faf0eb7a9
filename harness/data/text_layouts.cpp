// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/data/plain_line.h"
#include "harness/data/rating_names.h"
#include "harness/data/rating_times.h"

namespace alsbench {
namespace {

// The text of an id: of a CSV field that holds quotes, without those around and doubled.
std::string_view text_of(std::string_view field, const Columns& columns, PieceWriter& out) {
  if (!columns.csv() || !is_quoted(field)) return field;
  return out.own_texts.emplace_back(plain(field));
}

void put_id(const LineReader& reader, std::string_view field, const Columns& columns,
            PieceWriter& out, PieceIds& ids) {
  uint64_t number = 0;
  const IdKind kind = parse_id(field, number);
  // Where ids are numbers, one with leading zeros is a text: 007 is not 7.
  const bool may_be_text = columns.text_ids || all_digits(field);
  if (kind == IdKind::wrong || (kind == IdKind::text && !may_be_text)) {
    const bool lacks_header = kind == IdKind::text && columns.blanks() && columns.count > 0;
    reader.fail(fmt::format(
        "id {} is not {}an integer of [0, 2^64){}; {}", shown(field),
        columns.text_ids ? "a printable text or " : "",
        is_negative(field) ? ": negative ids are not supported" : "",
        lacks_header ? "correct the line, or put a header such as 'user item rating' first: ids "
                       "below one may be texts"
                     : reader.remedy()));
  }
  if (kind == IdKind::text || ids.text())
    ids.put(out.count, text_of(field, columns, out));
  else
    ids.put(out.count, number);
}

// Puts the time of the rating that follows.
void put_time(const LineReader& reader, std::string_view field, Times times, PieceWriter& out) {
  if (parse_time(field, out.times[out.count])) return;
  if (out.untimed < 0) out.untimed = out.count;
  if (times == Times::read)
    reader.fail(fmt::format(
        "time {} is neither a number nor a date such as 2005-09-06 or 2005-09-06 23:59:59; "
        "correct the line, or split by random or leave-one-out",
        shown(field)));
}

// A line's columns.
class ColumnParser : public LineParser {
 public:
  explicit ColumnParser(Columns columns) : columns_(std::move(columns)), plain_(columns_) {}

  const char* plain_lines(const char* at, const char* end, PieceWriter& out) override {
    if (!columns_.values.empty()) return at;
    const TextIds text = out.text();
    LineValues values;
    for (const char* next = at; !out.outgrown() && plain_.take(next, end, text, values);
         at = next) {
      put(out.users, out.count, values.user, values.user_text);
      put(out.items, out.count, values.item, values.item_text);
      if (out.times != nullptr) out.times[out.count] = {values.time};
      out.put_value(values.rating);
    }
    return at;
  }
  void line(const LineReader& reader, PieceWriter& out) override {
    split_line(reader, columns_, fields_);
    if (fields_.size() != columns_.count) fail_field_count(reader, columns_, fields_.size());
    const bool named = !columns_.values.empty();  // such lines may be left out
    std::optional<float> value = 1;
    if (named) value = rating_in(reader, columns_, of(ColumnRole::rating));
    if (!value) {
      ++out.left_out;
      return;
    }
    put_id(reader, of(ColumnRole::user), columns_, out, out.users);
    put_id(reader, of(ColumnRole::item), columns_, out, out.items);
    if (columns_.rated && !named) value = rating_in(reader, columns_, of(ColumnRole::rating));
    if (columns_.timed()) put_time(reader, of(ColumnRole::time), columns_.times, out);
    out.put_value(*value);
  }

 private:
  static void put(PieceIds& ids, int64_t place, uint64_t number, std::string_view text) {
    if (ids.text())
      ids.put(place, text);
    else
      ids.put(place, number);
  }
  std::string_view of(ColumnRole role) const { return fields_[columns_.of(role)]; }

  Columns columns_;
  PlainLine plain_;
  std::vector<std::string_view> fields_;
};

// A user and their items a line, each of which is a rating of 1; a user may have none.
class AdjacencyParser : public LineParser {
 public:
  explicit AdjacencyParser(Columns columns) : columns_(std::move(columns)) {}

  void line(const LineReader& reader, PieceWriter& out) override {
    split_line(reader, columns_, fields_);
    for (size_t i = 1; i < fields_.size(); ++i) {
      put_id(reader, fields_[0], columns_, out, out.users);
      put_id(reader, fields_[i], columns_, out, out.items);
      out.put_value(1);
    }
  }

 private:
  Columns columns_;
  std::vector<std::string_view> fields_;
};

class NetflixParser : public LineParser {
 public:
  explicit NetflixParser(const Columns& columns) : times_(columns.times), plain_(columns) {}

  const char* plain_lines(const char* at, const char* end, PieceWriter& out) override {
    LineValues values;
    for (const char* next = at; has_movie_ && !out.outgrown() && plain_.take(next, end, {}, values);
         at = next) {
      if (out.times != nullptr) out.times[out.count] = {values.time};
      put(out, values.user, values.rating);
    }
    return at;
  }
  void line(const LineReader& reader, PieceWriter& out) override {
    const std::string_view line = reader.line();
    if (line.back() == ':') {
      movie_ = require_number(reader, line.substr(0, line.size() - 1), "movie id");
      has_movie_ = true;
      return;
    }
    if (!has_movie_) reader.fail("a rating before the first line 'movie id:'; add that line");
    const size_t count = split_fields(line, ",", fields_);
    if (count < (times_ == Times::read ? 3 : 2) || count > 3)
      reader.fail(fmt::format("{} is not 'user,rating,date'; correct the line", shown(line)));
    const uint64_t user = require_number(reader, fields_[0], "user id");
    const float rating = require_rating(reader, fields_[1]);
    if (times_ != Times::left_out) put_time(reader, count == 3 ? fields_[2] : "", times_, out);
    put(out, user, rating);
  }

 private:
  void put(PieceWriter& out, uint64_t user, float rating) const {
    out.users.put(out.count, user);
    out.items.put(out.count, movie_);
    out.put_value(rating);
  }

  Times times_;
  bool has_movie_ = false;
  PlainLine plain_;
  uint64_t movie_ = 0;
  std::vector<std::string_view> fields_;
};

class KddCupParser : public LineParser {
 public:
  void line(const LineReader& reader, PieceWriter& out) override {
    const std::string_view line = reader.line();
    if (const size_t bar = line.find('|'); bar != std::string_view::npos) {
      end(reader);
      user_ = require_number(reader, line.substr(0, bar), "user id");
      announced_ = require_number(reader, line.substr(bar + 1), "rating count");
      seen_ = 0;
      has_user_ = true;
      return;
    }
    if (!has_user_) reader.fail("a rating before the first line 'user|count'; add that line");
    if (split_fields(line, "\t", fields_) < 2)
      reader.fail(fmt::format("{} is not 'item<tab>score'; correct the line", shown(line)));
    out.users.put(out.count, user_);
    out.items.put(out.count, require_number(reader, fields_[0], "item id"));
    out.put_value(require_rating(reader, fields_[1]));
    ++seen_;
  }
  void end(const LineReader& reader) override {
    if (seen_ == announced_) return;
    reader.fail(
        fmt::format("user {} has {} rating(s) here, but its line announced {}; the file is "
                    "truncated or its count wrong, or give --format csv if bars separate fields",
                    user_, seen_, announced_));
  }

 private:
  uint64_t user_ = 0, announced_ = 0, seen_ = 0;
  bool has_user_ = false;
  std::vector<std::string_view> fields_;
};

}  // namespace

Columns columns_of(Format format) {
  switch (format) {
    case Format::tsv:
      return {.separator = "\t", .text_ids = true};
    case Format::dat:
      return {.separator = "::"};
    case Format::csv:
      return {.separator = ",", .text_ids = true};
    case Format::netflix:
      return {.separator = ",", .places = {0, 3, 1, 2}, .count = 3};
    default:
      return {.separator = " "};
  }
}

TextLayout layout_of(Format format, const Columns& columns) {
  TextLayout layout;
  layout.timed = columns.timed();
  switch (format) {
    case Format::adjacency:
      layout.parser = [columns] { return std::make_unique<AdjacencyParser>(columns); };
      layout.most_ratings = [](std::string_view text) {
        const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
        return static_cast<int64_t>(std::count_if(text.begin(), text.end(), is_blank));
      };
      break;
    case Format::netflix:
      layout.parser = [columns] { return std::make_unique<NetflixParser>(columns); };
      layout.starts_piece = [](std::string_view line) { return line.ends_with(':'); };
      break;
    case Format::kddcup:
      layout.parser = [] { return std::make_unique<KddCupParser>(); };
      layout.starts_piece = [](std::string_view line) {
        return line.find('|') != std::string_view::npos;
      };
      break;
    default:
      layout.parser = [columns] { return std::make_unique<ColumnParser>(columns); };
  }
  return layout;
}

}  // namespace alsbench
