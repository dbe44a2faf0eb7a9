// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace alsbench {
namespace {

// The names of a header in lower case: with or without "id" behind them they are exact; others
// begin with them.
using Known = std::vector<std::string_view>;
const Known kUserNames{"user", "customer", "reviewer", "member"};
const Known kItemNames{"item", "movie", "product", "track", "song", "artist",  "album",
                       "book", "isbn",  "asin",    "anime", "game", "business"};
const Known kRatingNames{"rating", "score",     "stars",      "star_rating", "value",
                         "plays",  "playcount", "play_count", "weight"};
const Known kTimeNames{"timestamp", "time", "date", "unixreviewtime", "rated_at", "created_at"};

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

size_t time_column(const LineReader& reader, const std::vector<std::string_view>& fields) {
  const size_t time = column_of(reader, fields, kTimeNames);
  if (time == fields.size())
    reader.fail(fmt::format(
        "the header {} names no column of times; rename it to one of {}, or split by random or "
        "leave-one-out",
        shown(reader.line()), fmt::join(kTimeNames, ", ")));
  return time;
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
  if (columns.timed) columns.time = time_column(reader, fields);
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

}  // namespace

void split_line(const LineReader& reader, const Columns& columns,
                std::vector<std::string_view>& fields) {
  if (columns.csv())
    split_csv(reader, fields);
  else
    split_fields(reader.line(), columns.separator, fields);
}

void take_header(TextPiece& whole, Columns& columns) {
  if (!columns.text_ids) return;
  LineReader reader(whole);
  if (!reader.next()) return;
  std::vector<std::string_view> fields;
  split_line(reader, columns, fields);
  if (columns.rated) {
    if (!is_ratings_header(fields)) return;
    read_header(reader, fields, columns);
  } else if (!read_pairs_header(fields, columns)) {
    return;
  }
  whole.text.remove_prefix(reader.position());
  whole.first_line = reader.line_number() + 1;
}

}  // namespace alsbench
