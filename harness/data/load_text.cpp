// SPDX-License-Identifier: Apache-2.0
// Loaders of line-oriented formats: MovieLens (tab, ::, comma), LIBMF, Netflix Prize, KDD Cup.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <memory>

#include "harness/data/text_reader.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// Which fields of a line are what.
struct Columns {
  std::string_view separator;
  size_t user = 0;
  size_t item = 1;
  size_t rating = 2;
  bool text_ids = false;  // ids may be texts
  bool rated = true;      // false: pairs of user and item, with or without more fields

  bool csv() const { return separator == ","; }
  size_t needed() const { return std::max({user, item, rated ? rating : 0}) + 1; }
  const char* names() const { return rated ? "user, item and rating" : "user and item"; }
};

void split_line(const LineReader& reader, const Columns& columns,
                std::vector<std::string_view>& fields) {
  if (columns.csv())
    split_csv(reader, fields);
  else
    split_fields(reader.line(), columns.separator, fields);
}

struct ParsedPiece {
  RawIds users;
  RawIds items;
  std::vector<float> values;
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

void add_id(const LineReader& reader, std::string_view field, const Columns& columns,
            ParsedPiece& out, RawIds& ids, bool& found_text) {
  const bool may_be_text = columns.text_ids;
  uint64_t number = 0;
  const IdKind kind = parse_id(field, number);
  if (kind == IdKind::wrong || (kind == IdKind::text && !may_be_text)) {
    reader.fail(
        fmt::format("id {} is not {}an integer of [0, 2^64); correct the line, or give "
                    "--format if the file is of another format",
                    shown(field), may_be_text ? "a printable text or " : ""));
  }
  found_text |= kind == IdKind::text;
  if (ids.text) {
    ids.texts.push_back(out.text_of(field, columns.csv()));
  } else {
    ids.numbers.push_back(number);
  }
}

void parse_delimited(LineReader& reader, const Columns& columns, ParsedPiece& out) {
  std::vector<std::string_view> fields;
  while (reader.next()) {
    split_line(reader, columns, fields);
    if (fields.size() < columns.needed()) {
      reader.fail(fmt::format("{} field(s) in {}, expected {} separated by {}; correct the line{}",
                              fields.size(), shown(reader.line()), columns.names(),
                              shown(columns.separator), columns.rated ? ", or give --format" : ""));
    }
    add_id(reader, fields[columns.user], columns, out, out.users, out.found_text.users);
    add_id(reader, fields[columns.item], columns, out, out.items, out.found_text.items);
    out.values.push_back(columns.rated ? require_rating(reader, fields[columns.rating]) : 0);
    out.lines.push_back(reader.line_number());
  }
}

void parse_netflix(LineReader& reader, const Columns&, ParsedPiece& out) {
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
    if (split_fields(line, ",", fields) < 2) {
      reader.fail(fmt::format("{} is not 'user,rating,date'; correct the line", shown(line)));
    }
    out.add(require_number(reader, fields[0], "user id"), movie, require_rating(reader, fields[1]),
            reader.line_number());
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

// The names of a header in lower case: with or without "id" behind them they are exact; others
// begin with them.
using Known = std::vector<std::string_view>;
const Known kUserNames{"user", "customer", "reviewer", "member"};
const Known kItemNames{"item", "movie", "product", "track", "song", "artist",  "album",
                       "book", "isbn",  "asin",    "anime", "game", "business"};
const Known kRatingNames{"rating", "score",     "stars",      "star_rating", "value",
                         "plays",  "playcount", "play_count", "weight"};

// How well a field's name is known.
enum class Match { none, begins, exact };

Match match_of(std::string_view field, const Known& names) {
  const std::string name = lower(field);
  Match best = Match::none;
  for (const std::string_view known : names) {
    if (!name.starts_with(known)) continue;
    const std::string_view rest = std::string_view(name).substr(known.size());
    const bool exact =
        rest.empty() || rest == "id" || rest == "_id" || rest == "-id" || rest == " id";
    best = std::max(best, exact ? Match::exact : Match::begins);
  }
  return best;
}

// The column whose name is known best; the number of fields where none is.
size_t column_of(const LineReader& reader, const std::vector<std::string_view>& fields,
                 const Known& names) {
  std::vector<Match> matches;
  for (const std::string_view field : fields) matches.push_back(match_of(field, names));
  const Match best = *std::max_element(matches.begin(), matches.end());
  if (best == Match::none) return fields.size();
  const auto first = std::find(matches.begin(), matches.end(), best);
  const auto second = std::find(first + 1, matches.end(), best);
  const auto at = [&](auto match) { return static_cast<size_t>(match - matches.begin()); };
  if (second != matches.end())
    reader.fail(fmt::format(
        "the header {} has two columns that may be the {}: {} and {}; rename one of them",
        shown(reader.line()), names.front(), shown(fields[at(first)]), shown(fields[at(second)])));
  return at(first);
}

// Finds the columns by the names of a header; one without any known name leaves the first three.
void read_header(const LineReader& reader, const std::vector<std::string_view>& fields,
                 Columns& columns) {
  const size_t user = column_of(reader, fields, kUserNames),
               item = column_of(reader, fields, kItemNames),
               rating = column_of(reader, fields, kRatingNames);
  if (std::min({user, item, rating}) == fields.size()) return;
  if (std::max({user, item, rating}) == fields.size()) {
    reader.fail(fmt::format(
        "the header {} does not name user, item and rating; rename their columns, or remove the "
        "header if they are the first three. Known are names that begin with {} for the user; {} "
        "for the item; {} for the rating",
        shown(reader.line()), fmt::join(kUserNames, ", "), fmt::join(kItemNames, ", "),
        fmt::join(kRatingNames, ", ")));
  }
  columns.user = user;
  columns.item = item;
  columns.rating = rating;
}

// The same of pairs: a header names user and item exactly, since other words may be ids. False
// where the line is none.
bool read_pairs_header(const std::vector<std::string_view>& fields, Columns& columns) {
  const auto place = [&](const Known& names) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](std::string_view field) {
      return match_of(field, names) == Match::exact;
    });
    return static_cast<size_t>(found - fields.begin());
  };
  const size_t user = place(kUserNames), item = place(kItemNames);
  if (std::max(user, item) == fields.size()) return false;
  columns.user = user;
  columns.item = item;
  return true;
}

bool is_ratings_header(const std::vector<std::string_view>& fields) {
  float value = 0;
  const bool letters = std::all_of(fields.begin(), fields.end(), [](std::string_view field) {
    return !field.empty() && std::isalpha(static_cast<unsigned char>(field.front()));
  });
  return fields.size() >= 3 && !parse_rating(fields[2], value) && letters &&
         lower(fields[2]) != "nan" && lower(fields[2]) != "inf";
}

// Cuts a header line (csv and tsv: the third field of the first line is no number) off `whole`.
void take_header(TextPiece& whole, TextFormat& format) {
  if (!format.columns.text_ids) return;
  LineReader reader(whole);
  if (!reader.next()) return;
  std::vector<std::string_view> fields;
  split_line(reader, format.columns, fields);
  if (format.columns.rated) {
    if (!is_ratings_header(fields)) return;
    read_header(reader, fields, format.columns);
  } else if (!read_pairs_header(fields, format.columns)) {
    return;
  }
  whole.text.remove_prefix(reader.position());
  whole.first_line = reader.line_number() + 1;
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

RawRatings load_lines(const std::filesystem::path& path, TextFormat layout, TextIds text) {
  RawRatings raw;
  std::vector<TextPiece> pieces;
  for (const std::filesystem::path& file : files_of(path)) {
    raw.files.push_back(MappedFile::open(file));
    TextPiece whole{file, without_bom(raw.files.back()->text()), 1};
    take_header(whole, layout);
    for (TextPiece& piece : split_text(whole, layout.starts_piece)) pieces.push_back(piece);
  }
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

RawRatings load_text(const std::filesystem::path& path, Format format, TextIds text) {
  return load_lines(path, text_format(format), text);
}

RawRatings load_pairs(const std::filesystem::path& path, TextIds text) {
  const Format format = format_of(path, "");
  if (format != Format::tsv && format != Format::dat && format != Format::csv &&
      format != Format::libmf) {
    throw UsageError(
        fmt::format("{}: is of the format {}; give pairs as lines of user and item, separated by "
                    "tab, comma, '::' or blank",
                    path.string(), name_of(format)));
  }
  TextFormat layout = text_format(format);
  layout.columns.rated = false;
  return load_lines(path, layout, text);
}

}  // namespace alsbench
