// SPDX-License-Identifier: Apache-2.0
#include "harness/data/column_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace alsbench {
namespace {

using Names = std::vector<std::string_view>;

// Names that other names may begin with, and those that stand for the role only as they are.
struct Known {
  Names beginnings;
  Names others;
};

const Known& known_of(ColumnRole role) {
  static const std::array<Known, kColumnRoles.size()> kKnown{
      Known{{"user", "customer", "reviewer", "member"}, {"uid", "visitor"}},
      Known{{"item", "movie", "product", "track", "song", "artist", "album", "book", "isbn", "asin",
             "anime", "game", "business"},
            {"iid", "sku", "parent_asin", "recipe", "place", "video", "app", "article", "joke"}},
      Known{{"rating", "score", "stars", "star_rating", "value", "plays", "playcount", "play_count",
             "weight"},
            {"overall", "feedback", "hours", "purchase", "qty", "quantity", "book_rating",
             "my_score", "watch_ratio"}},
      Known{{"timestamp", "time", "date", "unixreviewtime", "rated_at", "created_at"},
            {"accessed"}}};
  return kKnown[static_cast<size_t>(role)];
}

// The letters and digits of a name, in lower case: "userid" of "User-ID".
std::string bare(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

// Users and items have ids; a rating_id is no rating.
bool is(const std::string& name, std::string_view known, ColumnRole role) {
  const bool may_be_id = role == ColumnRole::user || role == ColumnRole::item;
  return name == bare(known) || (may_be_id && name == bare(known) + "id");
}

// Whether a name ends as those of times do: "rating_timestamp", "ratingTime", "user_created_at".
bool ends_as_time(std::string_view name) {
  const std::string letters = bare(name);
  if (letters.ends_with("time") || letters.ends_with("timestamp")) return true;
  constexpr std::array<std::string_view, 7> kEnds{"_date", "-date", " date", "Date",
                                                  "_at",   "-at",   " at"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return name.ends_with(end); });
}

}  // namespace

std::string_view without_type(std::string_view name) {
  for (const std::string_view type : {":token", ":token_seq", ":float", ":float_seq"})
    if (name.ends_with(type)) return name.substr(0, name.size() - type.size());
  return name;
}

Match match_of(std::string_view name, ColumnRole role) {
  const Known& known = known_of(role);
  const std::string wanted = bare(without_type(name));
  const auto exact = [&](std::string_view each) { return is(wanted, each, role); };
  const auto begins = [&](std::string_view each) { return wanted.starts_with(bare(each)); };
  if (std::any_of(known.beginnings.begin(), known.beginnings.end(), exact) ||
      std::any_of(known.others.begin(), known.others.end(), exact))
    return Match::exact;
  if (role != ColumnRole::time && ends_as_time(without_type(name))) return Match::none;
  return std::any_of(known.beginnings.begin(), known.beginnings.end(), begins) ? Match::begins
                                                                               : Match::none;
}

std::string known_names(ColumnRole role) {
  const Known& known = known_of(role);
  return fmt::format("{}, {}", fmt::join(known.beginnings, ", "), fmt::join(known.others, ", "));
}

}  // namespace alsbench
