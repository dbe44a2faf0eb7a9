// SPDX-License-Identifier: Apache-2.0
// Loaders of line-oriented formats: MovieLens (tab, ::, comma), LIBMF, Netflix Prize, KDD Cup.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "base/error.h"
#include "harness/data/rating_times.h"
#include "harness/data/text_columns.h"
#include "harness/files/host_memory.h"

namespace alsbench {
namespace {

struct ParsedPiece {
  RawIds users;
  RawIds items;
  std::vector<float> values;
  std::vector<int64_t> times;  // where they are read
  std::vector<int64_t> lines;
  std::vector<std::shared_ptr<const std::string>> own_texts;
  TextIds found_text;  // an id that is no integer was seen: the column is to be read as text
  std::exception_ptr error;

  void add(uint64_t user, uint64_t item, float value, int64_t line) {
    users.numbers.push_back(user);
    items.numbers.push_back(item);
    values.push_back(value);
    lines.push_back(line);
  }
  // The text of an id: of a CSV field that holds quotes, without those around and doubled.
  std::string_view text_of(std::string_view field, bool csv) {
    if (!csv || !is_quoted(field)) return field;
    own_texts.push_back(std::make_shared<const std::string>(plain(field)));
    return *own_texts.back();
  }
};

// NOLINTNEXTLINE(readability-function-size): a struct would be made for each id
void add_id(const LineReader& reader, std::string_view field, const Columns& columns,
            ParsedPiece& out, RawIds& ids, bool& found_text) {
  uint64_t number = 0;
  const IdKind kind = parse_id(field, number);
  // Where ids are numbers, one with leading zeros is a text: 007 is not 7.
  const bool may_be_text = columns.text_ids || all_digits(field);
  if (kind == IdKind::wrong || (kind == IdKind::text && !may_be_text)) {
    reader.fail(
        fmt::format("id {} is not {}an integer of [0, 2^64){}; correct the line, or give "
                    "--format if the file is of another format",
                    shown(field), columns.text_ids ? "a printable text or " : "",
                    is_negative(field) ? ": negative ids are not supported" : ""));
  }
  found_text |= kind == IdKind::text;
  if (ids.text) {
    ids.texts.push_back(out.text_of(field, columns.csv()));
  } else {
    ids.numbers.push_back(number);
  }
}

int64_t require_time(const LineReader& reader, std::string_view field) {
  int64_t time = 0;
  if (!parse_time(field, time))
    reader.fail(fmt::format(
        "time {} is neither an integer nor a date such as 2005-09-06 or 2005-09-06 23:59:59; "
        "correct the line, or split by random or leave-one-out",
        shown(field)));
  return time;
}

void parse_delimited(LineReader& reader, const Columns& columns, ParsedPiece& out) {
  const size_t user = columns.of(ColumnRole::user), item = columns.of(ColumnRole::item),
               rating = columns.of(ColumnRole::rating), time = columns.of(ColumnRole::time);
  std::vector<std::string_view> fields;
  while (reader.next()) {
    split_line(reader, columns, fields);
    if (fields.size() != columns.count) fail_field_count(reader, columns, fields.size());
    add_id(reader, fields[user], columns, out, out.users, out.found_text.users);
    add_id(reader, fields[item], columns, out, out.items, out.found_text.items);
    out.values.push_back(columns.rated ? require_rating(reader, fields[rating]) : 0);
    if (columns.timed) out.times.push_back(require_time(reader, fields[time]));
    out.lines.push_back(reader.line_number());
  }
}

// A user and their items a line, each of which is a rating of 1; a user may have none.
void parse_adjacency(LineReader& reader, const Columns& columns, ParsedPiece& out) {
  std::vector<std::string_view> fields;
  while (reader.next()) {
    split_line(reader, columns, fields);
    for (size_t i = 1; i < fields.size(); ++i) {
      add_id(reader, fields[0], columns, out, out.users, out.found_text.users);
      add_id(reader, fields[i], columns, out, out.items, out.found_text.items);
      out.values.push_back(1);
      out.lines.push_back(reader.line_number());
    }
  }
}

void parse_netflix(LineReader& reader, const Columns& columns, ParsedPiece& out) {
  std::vector<std::string_view> fields;
  uint64_t movie = 0;
  bool has_movie = false;
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (line.back() == ':') {
      movie = require_number(reader, line.substr(0, line.size() - 1), "movie id");
      has_movie = true;
      continue;
    }
    if (!has_movie) reader.fail("a rating before the first line 'movie id:'; add that line");
    const size_t count = split_fields(line, ",", fields);
    if (count < (columns.timed ? 3 : 2) || count > 3) {
      reader.fail(fmt::format("{} is not 'user,rating,date'; correct the line", shown(line)));
    }
    out.add(require_number(reader, fields[0], "user id"), movie, require_rating(reader, fields[1]),
            reader.line_number());
    if (columns.timed) out.times.push_back(require_time(reader, fields[2]));
  }
}

void parse_kddcup(LineReader& reader, const Columns&, ParsedPiece& out) {
  std::vector<std::string_view> fields;
  uint64_t user = 0;
  uint64_t announced = 0;
  uint64_t seen = 0;
  bool has_user = false;
  const auto check_count = [&] {
    if (seen == announced) return;
    reader.fail(
        fmt::format("user {} has {} rating(s) here, but its line announced {}; the file is "
                    "truncated or its count wrong",
                    user, seen, announced));
  };
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (const size_t bar = line.find('|'); bar != std::string_view::npos) {
      check_count();
      user = require_number(reader, line.substr(0, bar), "user id");
      announced = require_number(reader, line.substr(bar + 1), "rating count");
      seen = 0;
      has_user = true;
      continue;
    }
    if (!has_user) reader.fail("a rating before the first line 'user|count'; add that line");
    if (split_fields(line, "\t", fields) < 2) {
      reader.fail(fmt::format("{} is not 'item<tab>score'; correct the line", shown(line)));
    }
    out.add(user, require_number(reader, fields[0], "item id"), require_rating(reader, fields[1]),
            reader.line_number());
    ++seen;
  }
  check_count();
}

using ParsePiece = void (*)(LineReader&, const Columns&, ParsedPiece&);

struct TextFormat {
  ParsePiece parse = parse_delimited;
  Columns columns;
  bool (*starts_piece)(std::string_view) = [](std::string_view) { return true; };
};

TextFormat text_format(Format format) {
  TextFormat result;
  switch (format) {
    case Format::tsv:
      result.columns = {.separator = "\t", .text_ids = true};
      break;
    case Format::dat:
      result.columns = {.separator = "::"};
      break;
    case Format::csv:
      result.columns = {.separator = ",", .text_ids = true};
      break;
    case Format::adjacency:
      result.parse = parse_adjacency;
      result.columns = {.separator = " "};
      break;
    case Format::netflix:
      result.parse = parse_netflix;
      result.starts_piece = [](std::string_view line) { return line.ends_with(':'); };
      break;
    case Format::kddcup:
      result.parse = parse_kddcup;
      result.starts_piece = [](std::string_view line) {
        return line.find('|') != std::string_view::npos;
      };
      break;
    default:
      result.columns = {.separator = " "};
  }
  return result;
}

// The files of a Netflix folder, or the file itself.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if ((name.starts_with("mv_") || name.starts_with("combined_data_")) && name.ends_with(".txt"))
      files.push_back(entry.path());
  }
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: holds no mv_*.txt or combined_data_*.txt; give the folder of "
                    "the Netflix Prize files",
                    path.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<ParsedPiece> parse_all(const std::vector<TextPiece>& pieces, const TextFormat& format,
                                   TextIds text) {
  std::vector<ParsedPiece> parsed(pieces.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t i = 0; i < pieces.size(); ++i) {
    parsed[i].users.text = text.users;
    parsed[i].items.text = text.items;
    try {
      LineReader reader(pieces[i]);
      format.parse(reader, format.columns, parsed[i]);
    } catch (...) {
      parsed[i].error = std::current_exception();
    }
  }
  for (const ParsedPiece& piece : parsed) {
    if (piece.error) std::rethrow_exception(piece.error);
  }
  return parsed;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  std::vector<T>().swap(from);
}

RawRatings load_lines(const std::filesystem::path& path, TextFormat layout,
                      const TextOptions& options) {
  const TextIds text = options.ids;
  RawRatings raw;
  std::vector<TextPiece> pieces;
  for (const std::filesystem::path& file : files_of(path)) {
    raw.files.push_back(MappedFile::open(file));
    TextPiece whole{file, without_bom(raw.files.back()->text()), 1};
    if (layout.parse == parse_delimited) find_columns(whole, options.columns, layout.columns);
    for (TextPiece& piece : split_text(whole, layout.starts_piece)) pieces.push_back(piece);
  }
  int64_t bytes = 0;  // a rating takes as many as its line, or more
  for (const TextPiece& piece : pieces) bytes += static_cast<int64_t>(piece.text.size());
  require_host_memory(bytes);
  std::vector<ParsedPiece> parsed = parse_all(pieces, layout, text);
  TextIds found = text;
  for (const ParsedPiece& piece : parsed) {
    found.users |= piece.found_text.users;
    found.items |= piece.found_text.items;
  }
  if (found.users != text.users || found.items != text.items) {
    parsed = parse_all(pieces, layout, found);
  }
  raw.users.text = found.users;
  raw.items.text = found.items;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto first = static_cast<int64_t>(raw.values.size());
    append(raw.users.numbers, parsed[i].users.numbers);
    append(raw.users.texts, parsed[i].users.texts);
    append(raw.items.numbers, parsed[i].items.numbers);
    append(raw.items.texts, parsed[i].items.texts);
    append(raw.values, parsed[i].values);
    append(raw.times, parsed[i].times);
    append(raw.own_texts, parsed[i].own_texts);
    raw.pieces.push_back({pieces[i].file, first, std::move(parsed[i].lines)});
  }
  if (raw.values.empty()) {
    throw UsageError(fmt::format("{}: holds no {}; give a file with at least one", path.string(),
                                 layout.columns.rated ? "ratings" : "pairs of user and item"));
  }
  return raw;
}

}  // namespace

bool has_columns(Format format) {
  return format == Format::tsv || format == Format::dat || format == Format::csv ||
         format == Format::libmf;
}

void check_columns(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (choice.empty() || has_columns(format)) return;
  throw UsageError(fmt::format(
      "{}: the format {} has no columns to choose from; leave --columns out, or give tsv, csv, dat "
      "or libmf",
      path.string(), name_of(format)));
}

RawRatings load_text(const std::filesystem::path& path, Format format, const TextOptions& options) {
  TextFormat layout = text_format(format);
  layout.columns.timed = options.times == Times::read;
  return load_lines(path, layout, options);
}

RawRatings load_pairs(const std::filesystem::path& path, const TextOptions& options) {
  const Format format = format_of(path, "");
  if (!has_columns(format)) {
    throw UsageError(
        fmt::format("{}: is of the format {}; give pairs as lines of user and item, separated by "
                    "tab, comma, '::' or blank",
                    path.string(), name_of(format)));
  }
  TextFormat layout = text_format(format);
  layout.columns.rated = false;
  return load_lines(path, layout, options);
}

std::string reading_of(const std::filesystem::path& path, Format format,
                       const TextOptions& options) {
  if (format == Format::adjacency) return "adjacency: a user and items a line, each rated 1";
  if (!has_columns(format)) return "";
  Columns columns = text_format(format).columns;
  columns.timed = options.times == Times::read;
  const auto file = MappedFile::open(path);
  TextPiece whole{path, without_bom(file->text()), 1};
  find_columns(whole, options.columns, columns);
  return fmt::format("{}: {}", name_of(format), text_of(columns));
}

}  // namespace alsbench
