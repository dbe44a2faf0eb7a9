// SPDX-License-Identifier: Apache-2.0
// Loaders of line-oriented formats: MovieLens (tab, ::, comma), LIBMF, Netflix Prize, KDD Cup.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "harness/data/blank_ids.h"
#include "harness/data/plain_line.h"
#include "harness/data/rating_names.h"
#include "harness/data/rating_times.h"
#include "harness/data/text_columns.h"
#include "harness/data/text_pieces.h"
#include "harness/files/input_file.h"
#include "harness/files/piped_table.h"

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
  out.untimed = true;
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

// The columns of a format, before a file is looked at.
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

// The files of a folder, or the file itself.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!is_input_folder(path)) return {path};
  if (auto parts = part_files(path); !parts.empty()) return parts;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if ((name.starts_with("mv_") || name.starts_with("combined_data_")) && name.ends_with(".txt"))
      files.push_back(entry.path());
  }
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: holds no mv_*.txt, combined_data_*.txt or part-*; give the folder of "
                    "the Netflix Prize files, or one of parts",
                    path.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The columns of all files, of which the first one has others than `usual` at most. Headers are
// taken off.
Columns find_all_columns(std::vector<TextPiece>& wholes, const ColumnChoice& choice,
                         const Columns& usual) {
  Columns all = usual;
  for (TextPiece& whole : wholes) {
    Columns own = usual;
    find_columns(whole, choice, own);
    if (&whole == &wholes.front()) all = own;
    all.text_ids |= own.text_ids;
    if (own.count == 0 || own.alike(all)) continue;
    const bool mixed = own.separator != all.separator;
    const auto layout = [&](const Columns& columns) {
      return text_of(columns) + (mixed ? "; " + separation_of(columns) + ";" : "");
    };
    const std::string here = layout(own), there = layout(all);
    throw UsageError(
        fmt::format("{}: has {} of {} columns, and {} has {} of {}{}; give files of one layout",
                    whole.file.string(), here, own.count, wholes.front().file.string(), there,
                    all.count, here == there ? ", in another order" : ""));
  }
  return all;
}

RawRatings load_lines(const std::filesystem::path& path, Format format, Columns columns,
                      const TextOptions& options) {
  std::vector<std::shared_ptr<const void>> files;
  std::vector<TextPiece> wholes;
  for (const std::filesystem::path& name : files_of(path)) {
    const InputFile file = open_input(name);
    wholes.push_back(whole_of(file));
    files.push_back(file.bytes);
  }
  if (has_columns(format)) columns = find_all_columns(wholes, options.columns, columns);
  const bool numbers_only = format == Format::netflix || format == Format::kddcup;
  RawRatings raw =
      read_texts(wholes, layout_of(format, columns), numbers_only ? TextIds() : options.ids);
  raw.rated = columns.rated && format != Format::adjacency;
  raw.headed = !columns.header.empty();
  raw.owners.insert(raw.owners.end(), files.begin(), files.end());
  if (raw.values.size() == 0) {
    throw UsageError(fmt::format("{}: holds no {}; give a file with at least one", path.string(),
                                 columns.rated ? "ratings" : "pairs of user and item"));
  }
  return raw;
}

Columns usual_columns(Format format, const TextOptions& options, bool rated = true) {
  Columns columns = columns_of(format);
  columns.rated = rated;
  columns.times = holds_times(format) ? options.times : Times::left_out;
  if (format == Format::libmf) columns.text_ids = options.ids.users || options.ids.items;
  return columns;
}

// The first file of a path, without its header, and how its lines are read.
struct ReadColumns {
  InputFile file;
  TextPiece whole;
  Columns columns;
};

ReadColumns columns_in(const std::filesystem::path& path, const ColumnChoice& choice,
                       const Columns& usual) {
  ReadColumns read{open_input(files_of(path).front(), kInputBeginning), {}, usual};
  read.whole = whole_of(read.file);
  find_columns(read.whole, choice, read.columns);
  return read;
}

}  // namespace

bool has_columns(Format format) {
  return format == Format::tsv || format == Format::dat || format == Format::csv ||
         format == Format::libmf;
}

void check_columns(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (has_columns(format) || (choice.empty() && choice.values().empty())) return;
  throw UsageError(
      fmt::format("{}: the format {} has no columns to choose from; leave {} out, or give tsv, "
                  "csv, dat or libmf",
                  path.string(), name_of(format), choice.empty() ? "--values" : "--columns"));
}

RawRatings load_text(const std::filesystem::path& path, Format format, const TextOptions& options) {
  return load_lines(path, format, usual_columns(format, options), options);
}

RawRatings load_pairs(const std::filesystem::path& path, const TextOptions& options) {
  const Format format = format_of(path, "");
  if (!has_columns(format)) {
    throw UsageError(
        fmt::format("{}: is of the format {}; give pairs as lines of user and item, separated by "
                    "tab, comma, '::' or blank",
                    path.string(), name_of(format)));
  }
  return load_lines(path, format, usual_columns(format, options, false), options);
}

bool has_times(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (format == Format::netflix) return true;
  if (!holds_times(format)) return false;
  return columns_in(path, choice, usual_columns(format, {.times = Times::looked_for}))
      .columns.timed();
}

bool has_values(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (format == Format::matrix_market) return !is_pattern(path);
  if (!has_columns(format)) return format != Format::adjacency;
  return columns_in(path, choice, columns_of(format)).columns.rated;
}

std::string reading_of(const std::filesystem::path& path, Format format,
                       const TextOptions& options) {
  if (format == Format::adjacency)
    return "adjacency: a user and items a line, each rated 1; fields end at blanks";
  if (!has_columns(format)) return "";
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options));
  const std::string comment = commented_line(read.whole, read.columns);
  const std::string note = comment.empty() ? "" : "; " + comment;
  if (const PipedTable* table = piped_table(path); table != nullptr)
    return fmt::format("{}: {}{}", table->kind, text_of(read.columns), note);
  return fmt::format("{}: {}; {}{}", name_of(format), text_of(read.columns),
                     separation_of(read.columns), note);
}

std::string comment_of(const std::filesystem::path& path, Format format, const TextOptions& options,
                       bool rated) {
  if (!has_columns(format)) return "";
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options, rated));
  const std::string comment = commented_line(read.whole, read.columns);
  return comment.empty() ? "" : comment + " with as many fields as the lines: it is left out";
}

std::string merged_id_of(const std::filesystem::path& path, Format format,
                         const TextOptions& options, bool rated) {
  if (!has_columns(format)) return "";
  ReadColumns read = columns_in(path, options.columns, usual_columns(format, options, rated));
  if (!read.whole.in_file)  // the beginning of an archive may end within a line
    read.whole.text = read.whole.text.substr(0, read.whole.text.rfind('\n') + 1);
  return merged_id(read.whole, read.columns);
}

std::vector<std::vector<std::string>> first_ratings_of(const std::filesystem::path& path,
                                                       Format format, const TextOptions& options,
                                                       size_t count) {
  if (!has_columns(format)) return {};
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options));
  const Columns& columns = read.columns;
  const std::vector<ColumnRole> roles = needed_roles(columns);
  std::vector<std::vector<std::string>> rows(1);
  for (const ColumnRole role : roles) rows.front().emplace_back(name_of(role));
  LineReader reader(read.whole);
  std::vector<std::string_view> fields;
  while (rows.size() <= count && reader.next()) {
    split_line(reader, columns, fields);
    std::vector<std::string>& row = rows.emplace_back();
    for (const ColumnRole role : roles) {
      const std::string_view field =
          columns.of(role) < fields.size() ? fields[columns.of(role)] : std::string_view();
      row.push_back(columns.csv() && is_quoted(field) ? plain(field) : std::string(field));
    }
  }
  return rows;
}

}  // namespace alsbench
