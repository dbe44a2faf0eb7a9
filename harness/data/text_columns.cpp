// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "harness/data/column_names.h"
#include "harness/data/rating_times.h"
#include "harness/files/piped_table.h"

namespace alsbench {
namespace {

using LineFields = std::vector<std::string_view>;

std::string names_of(const std::vector<ColumnRole>& roles) {
  std::string text;
  for (size_t i = 0; i < roles.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                  ? ""
                        : i + 1 == roles.size() ? " and "
                                                : ", ",
                        name_of(roles[i]));
  return text;
}

// "1 'shop_id', 2 'mark'"
std::string list_of(const LineFields& fields) {
  std::string text;
  for (size_t i = 0; i < fields.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, shown(fields[i]));
  return text;
}

// The places of the columns that --columns gives to other roles than the time.
std::vector<size_t> chosen_places(const Columns& columns, const ColumnChoice& choice) {
  std::vector<size_t> places;
  for (const ColumnRole role : needed_roles(columns))
    if (role != ColumnRole::time && !choice.of(role).empty()) places.push_back(columns.of(role));
  return places;
}

// The column that is known best as a role's; nothing where none is. A time is none of `taken`.
std::optional<size_t> known_column(const LineReader& reader, const LineFields& fields,
                                   ColumnRole role, Times times, const std::vector<size_t>& taken) {
  std::vector<Match> matches;
  for (const std::string_view field : fields) matches.push_back(match_of(field, role));
  if (role == ColumnRole::time)
    for (const size_t place : taken) matches[place] = Match::none;
  const Match best = *std::max_element(matches.begin(), matches.end());
  if (best == Match::none) return std::nullopt;
  const auto first = std::find(matches.begin(), matches.end(), best);
  const auto second = std::find(first + 1, matches.end(), best);
  const auto at = [&](auto match) { return static_cast<size_t>(match - matches.begin()); };
  if (second == matches.end() || times == Times::looked_for) return at(first);
  const bool optional = role == ColumnRole::time && times == Times::if_there;
  reader.fail(fmt::format(
      "the header {} has two columns that may be the {}: {} and {}; say which it is with "
      "--columns {}={}{}",
      shown(reader.line()), name_of(role), shown(fields[at(first)]), shown(fields[at(second)]),
      name_of(role), at(first) + 1,
      optional ? ", or leave times out with --columns time=none" : ""));
}

std::optional<uint64_t> number_in(const std::string& column) {
  uint64_t number = 0;
  return parse_id(column, number) == IdKind::number ? std::optional(number) : std::nullopt;
}

// The column of a header that has the name, in any case, with or without RecBole's type.
std::optional<size_t> named_column(const LineFields& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](std::string_view field) {
    return lower(field) == lower(name) || lower(without_type(field)) == lower(name);
  });
  if (found == fields.end()) return std::nullopt;
  return static_cast<size_t>(found - fields.begin());
}

size_t chosen_column(const LineReader& reader, const LineFields& fields, const std::string& column,
                     bool headed) {
  const auto number = number_in(column);
  const auto place =
      !number
          ? (headed ? named_column(fields, column) : std::nullopt)
          : (*number >= 1 && *number <= fields.size() ? std::optional(*number - 1) : std::nullopt);
  if (place) return *place;
  if (!number && !headed)
    reader.fail(
        fmt::format("{} is no header, so no column is named {}; give --columns "
                    "numbers from 1",
                    shown(reader.line()), shown(column)));
  reader.fail(
      fmt::format("--columns names the column {}, but the columns are {}; name one of these",
                  shown(column), list_of(fields)));
}

// Of ratings, no field of a header is a number: each line has one at least, its rating.
bool is_ratings_header(const LineFields& fields) {
  const auto is_number = [](std::string_view field) {
    float value = 0;
    return parse_rating(field, value) || !number_fault(field).empty() || lower(field) == "nan" ||
           lower(field) == "inf";
  };
  return fields.size() >= 3 && std::none_of(fields.begin(), fields.end(), is_number);
}

// Whether the field of the rating is a name that has a value: then the line is no header.
bool has_named_rating(const LineFields& fields, const ColumnChoice& choice) {
  const std::string& rating = choice.of(ColumnRole::rating);
  const auto number = rating.empty() ? std::optional<uint64_t>(3) : number_in(rating);
  return number && *number >= 1 && *number <= fields.size() &&
         choice.values().find(fields[*number - 1]) != nullptr;
}

// Of pairs, a header names user and item exactly, by --columns or as they are known, since other
// words may be ids.
bool is_pairs_header(const LineFields& fields, const ColumnChoice& choice) {
  const auto names = [&](ColumnRole role) {
    const std::string& chosen = choice.of(role);
    if (!chosen.empty() && !number_in(chosen)) return named_column(fields, chosen).has_value();
    return std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
      return match_of(field, role) == Match::exact;
    });
  };
  return names(ColumnRole::user) && names(ColumnRole::item);
}

// Whether the first line of pairs names columns by other words: none of its fields is a number, and
// one of the next line is.
bool is_unknown_header(LineReader reader, const Columns& columns, const LineFields& first) {
  uint64_t number = 0;
  const auto is_number = [&](std::string_view field) {
    return parse_id(field, number) == IdKind::number;
  };
  LineFields next;
  if (std::any_of(first.begin(), first.end(), is_number) || !reader.next()) return false;
  split_line(reader, columns, next);
  return next.size() == first.size() && std::any_of(next.begin(), next.end(), is_number);
}

// Of lines that count as 1, a header may have any names; of pairs that are asked about, a user or
// an item whom nobody knows is named later.
bool is_header(const LineReader& reader, const Columns& columns, const LineFields& fields,
               const ColumnChoice& choice) {
  if (!columns.text_ids && !columns.blanks()) return false;
  if (columns.rated) return is_ratings_header(fields) && !has_named_rating(fields, choice);
  if (is_pairs_header(fields, choice)) return true;
  const bool placed = number_in(choice.of(ColumnRole::user)).has_value() &&
                      number_in(choice.of(ColumnRole::item)).has_value();
  return columns.counted && !placed && is_unknown_header(reader, columns, fields);
}

// The comment right above the line that the reader is at, without its # or %.
TextPiece comment_above(const LineReader& reader, const TextPiece& whole) {
  TextPiece comment = whole;
  comment.text =
      whole.text.substr(0, static_cast<size_t>(reader.line().data() - whole.text.data()));
  comment.text = comment.text.substr(0, comment.text.find_last_not_of(" \t\r\n") + 1);
  const size_t begin = comment.text.find_last_of('\n') + 1;
  comment.first_line += line_ends_in(comment.text.substr(0, begin));
  comment.first = nullptr;
  comment.text.remove_prefix(begin);
  comment.text.remove_prefix(std::min(comment.text.find_first_not_of("#%"), comment.text.size()));
  return comment;
}

// Splits a comment, without its # or %, as a line; false where it has quotes that a line cannot
// have.
bool split_comment(LineReader& comment, const Columns& columns, LineFields& fields) {
  if (!comment.next()) return false;
  try {
    split_line(comment, columns, fields);
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

// Whether the comment names the columns of the lines, as numpy.savetxt writes a header: it has as
// many fields, and each column that is needed is known exactly, or named by --columns. `names` are
// its fields.
bool is_commented_header(LineReader& comment, const Columns& columns, const ColumnChoice& choice,
                         LineFields& names) {
  if (!split_comment(comment, columns, names)) return false;
  const auto is_named = [&](ColumnRole role) {
    const std::string& chosen = choice.of(role);
    if (!chosen.empty()) return number_in(chosen) || named_column(names, chosen);
    return std::ranges::any_of(
        names, [&](std::string_view name) { return match_of(name, role) == Match::exact; });
  };
  return names.size() == columns.count &&
         std::ranges::all_of(needed_roles(columns), [&](ColumnRole role) {
           return role == ColumnRole::time || is_named(role);
         });
}

// Whether the line has a field for the time, of no other role, that is one.
bool has_time(const Columns& columns, const LineFields& fields) {
  const size_t place = columns.of(ColumnRole::time);
  RatingTime time;
  const auto other = [&](ColumnRole role) {
    return role != ColumnRole::time && columns.needs(role) && columns.of(role) == place;
  };
  return place < fields.size() && parse_time(fields[place], time) &&
         std::none_of(kColumnRoles.begin(), kColumnRoles.end(), other);
}

[[noreturn]] void refuse_header(const LineReader& reader, const LineFields& fields,
                                const std::vector<ColumnRole>& unknown) {
  std::vector<std::string> known;
  for (const ColumnRole role : unknown)
    known.push_back(fmt::format("{} for the {}", known_names(role), name_of(role)));
  const bool timeless = unknown == std::vector{ColumnRole::time};
  const bool rated = unknown != std::vector{ColumnRole::rating};
  reader.fail(fmt::format(
      "the header {} names no {}; its columns are {}: say which they are with {}{}. Known are {}",
      shown(reader.line()), names_of(unknown), list_of(fields), kColumnsForm,
      timeless ? ", or split by random or leave-one-out"
      : rated  ? ""
               : ", or count each line as 1 with --columns rating=none",
      fmt::join(known, "; ")));
}

// Gives each role its column: by `choice`, by the names of a header, or the usual one.
void place_columns(const LineReader& reader, const LineFields& names, const ColumnChoice& choice,
                   bool headed, Columns& columns) {
  std::vector<ColumnRole> unknown;
  for (const ColumnRole role : needed_roles(columns)) {  // the time is the last one
    size_t& place = columns.places[static_cast<size_t>(role)];
    if (!choice.of(role).empty())
      place = chosen_column(reader, names, choice.of(role), headed);
    else if (const auto known = headed ? known_column(reader, names, role, columns.times,
                                                      chosen_places(columns, choice))
                                       : std::nullopt)
      place = *known;
    else if (headed && role == ColumnRole::time && columns.times != Times::read)
      columns.times = Times::left_out;
    else if (headed)
      unknown.push_back(role);
  }
  if (!unknown.empty()) refuse_header(reader, names, unknown);
}

// The separator of a line of CSV, or that which a line above the first one names.
std::string_view separator_in(const LineReader& reader, const TextPiece& whole) {
  return whole.separator.empty() ? csv_separator(reader.line()) : whole.separator;
}

// As --columns time=none says.
void leave_times_out(const LineReader& reader, Columns& columns) {
  if (columns.times == Times::read)
    reader.fail(
        "--columns time=none leaves times out, and the split is by them; name their column, or "
        "split by random or leave-one-out");
  columns.times = Times::left_out;
}

void check_distinct(const LineReader& reader, const Columns& columns) {
  for (const ColumnRole a : needed_roles(columns))
    for (const ColumnRole b : needed_roles(columns))
      if (a < b && columns.of(a) == columns.of(b))
        reader.fail(
            fmt::format("column {} would be both {} and {}; say which columns they are "
                        "with {}",
                        columns.of(a) + 1, name_of(a), name_of(b), kColumnsForm));
}

// The first # or % that begins a line, from `begin` on; the size of the text where there is none.
size_t comment_at(std::string_view text, size_t begin) {
  const auto first = [&](char mark) {
    size_t at = text.find(mark, begin);
    while (at < text.size() && at > 0 && text[at - 1] != '\n') at = text.find(mark, at + 1);
    return std::min(at, text.size());
  };
  return std::min(first('#'), first('%'));
}

// Whether lines between blanks have ids that are texts: below a header, or where the first line has
// one. Other files of blanks have whole numbers, and another id is a mistake.
bool has_text_ids(const Columns& columns, const LineFields& fields, bool on_line) {
  uint64_t number = 0;
  const auto is_text = [&](ColumnRole role) {
    const std::string_view field = fields[columns.of(role)];
    return parse_id(field, number) == IdKind::text && !all_digits(field);
  };
  return on_line || is_text(ColumnRole::user) || is_text(ColumnRole::item);
}

// Whether a comment has as many fields as the lines, and is no header that was read.
bool may_be_line(const std::filesystem::path& file, std::string_view line, const Columns& columns) {
  const TextPiece piece{file, line.substr(std::min(line.find_first_not_of("#%"), line.size()))};
  LineReader comment(piece);
  LineFields fields;
  return split_comment(comment, columns, fields) && fields.size() == columns.count &&
         !std::ranges::equal(fields, columns.header);
}

}  // namespace

size_t Columns::needed() const {
  size_t maximum = 0;
  for (const ColumnRole role : kColumnRoles)
    if (needs(role)) maximum = std::max(maximum, of(role));
  return maximum + 1;
}

std::vector<ColumnRole> needed_roles(const Columns& columns) {
  std::vector<ColumnRole> roles;
  std::copy_if(kColumnRoles.begin(), kColumnRoles.end(), std::back_inserter(roles),
               [&](ColumnRole role) { return columns.needs(role); });
  return roles;
}

void split_line(const LineReader& reader, const Columns& columns,
                std::vector<std::string_view>& fields) {
  if (columns.csv()) return split_csv(reader, columns.separator.front(), fields);
  split_fields(reader.line(), columns.separator, fields);
  // The reader cuts what is blank off the end of a line: fields, where tabs separate them.
  if (columns.separator == "\t" && fields.size() < columns.count)
    fields.resize(std::min(columns.count, fields.size() + reader.cut_tabs()));
}

void fail_field_count(const LineReader& reader, const Columns& columns, size_t fields) {
  const bool more = fields > columns.count;
  std::string remedy;
  if (more && columns.csv())
    remedy = fmt::format(", with fields that hold a {} in quotes",
                         columns.separator == "," ? "comma" : shown(columns.separator));
  if (columns.separator == " " && columns.rated)
    remedy = ", or give --format adjacency for lines of a user's items";
  reader.fail(
      fmt::format("{} field(s) in {}, but the {} has {} separated by {}; correct the line{}",
                  fields, shown(reader.line()), columns.header.empty() ? "first line" : "header",
                  columns.count, shown(columns.separator), remedy));
}

void find_columns(TextPiece& whole, const ColumnChoice& choice, Columns& columns) {
  LineReader reader(whole);
  if (!reader.next()) return;
  LineFields fields;
  if (const auto found = separator_in(reader, whole); columns.csv() && !found.empty())
    columns.separator = found;
  split_line(reader, columns, fields);
  if (columns.separator == "\t") fields.resize(fields.size() + reader.cut_tabs());
  columns.count = fields.size();
  const std::string& rating = choice.of(ColumnRole::rating);
  if (columns.rated && (rating == kNoColumn || (fields.size() == 2 && rating.empty()))) {
    columns.rated = false;
    columns.counted = true;
    if (!choice.values().empty())
      reader.fail(
          fmt::format("--values names ratings, and {} has none; leave --values out, or say "
                      "which column has them with --columns rating=..",
                      shown(reader.line())));
  }
  if (columns.rated) columns.values = choice.values();
  if (choice.of(ColumnRole::time) == kNoColumn) leave_times_out(reader, columns);
  // A table of Parquet or Arrow has names of columns in any case.
  const bool on_line =
      piped_table(whole.file) != nullptr || is_header(reader, columns, fields, choice);
  const TextPiece above = comment_above(reader, whole);
  LineReader comment(above);
  LineFields names;
  const bool commented = !on_line && is_commented_header(comment, columns, choice, names);
  if (!commented) names = fields;
  const bool headed = on_line || commented;
  place_columns(commented ? comment : reader, names, choice, headed, columns);
  if (columns.times != Times::read && !headed && !has_time(columns, fields))
    columns.times = Times::left_out;
  check_distinct(reader, columns);
  if (columns.count < columns.needed())
    reader.fail(fmt::format(
        "{} field(s) in {}, expected {} separated by {}; correct the line{}", fields.size(),
        shown(reader.line()), names_of(needed_roles(columns)), shown(columns.separator),
        columns.rated ? fmt::format(", or give --format or {}", kColumnsForm) : std::string()));
  if (headed) columns.header.assign(names.begin(), names.end());
  if (columns.blanks()) columns.text_ids |= has_text_ids(columns, fields, on_line);
  if (!on_line) return;
  whole.first_line = reader.line_number() + 1;
  whole.text.remove_prefix(reader.position());  // which the reader looks at
}

std::string commented_line(const TextPiece& beginning, const Columns& columns) {
  constexpr size_t kWindow = size_t{4} << 20;  // whose memory goes again, of a file
  const std::string_view text = beginning.text;
  for (size_t window = 0; window < text.size(); window += kWindow) {
    const std::string_view seen = text.substr(0, window + kWindow);
    for (size_t at = comment_at(seen, window); at < seen.size(); at = comment_at(seen, at + 1)) {
      const std::string_view line = text.substr(at, text.find('\n', at) - at);
      if (may_be_line(beginning.file, line, columns))
        return fmt::format("line {}, {}, is a comment",
                           beginning.first_line + line_ends_in(text.substr(0, at)), shown(line));
    }
    if (beginning.in_file) MappedFile::forget(text.substr(window, kWindow));
  }
  return {};
}

std::string text_of(const Columns& columns) {
  std::string text;
  for (const ColumnRole role : needed_roles(columns))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(role),
                        columns.header.empty() ? std::to_string(columns.of(role) + 1)
                                               : shown(columns.header[columns.of(role)]));
  if (!columns.rated) text += ", each rated 1";
  return text;
}

std::string unread_columns(const Columns& columns) {
  const size_t read = needed_roles(columns).size();
  if (columns.count <= read) return "";
  const size_t unread = columns.count - read;
  return fmt::format("{} of {} columns {} not read", unread, columns.count,
                     unread == 1 ? "is" : "are");
}

std::string separation_of(const Columns& columns) {
  if (columns.blanks()) return "fields end at blanks";
  if (columns.separator == "\t") return "fields end at tabs";
  return fmt::format("fields end at '{}'", columns.separator);
}

}  // namespace alsbench
