// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "harness/data/rating_times.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/text_reader.h"

namespace alsbench {
namespace {

using Doubt = std::optional<std::string>;

int64_t ratings_in(const Csr& matrix, int64_t row) {
  return row < matrix.rows ? matrix.offsets[row + 1] - matrix.offsets[row] : 0;
}

// Where the file may have the users or items instead, and how to say so.
std::string place_doubt(const char* what, bool has_columns) {
  if (has_columns) return fmt::format("is the {} column right? --columns says which it is", what);
  return fmt::format(
      "are these the {}s? Rows of a matrix are its users, and columns its items; --format says "
      "what other files are",
      what);
}

// Each user has one rating where a count, a time or the number of the line is taken for the user,
// and where lines are lists of items.
Doubt lone_users(const RatingSet& set, bool has_columns) {
  const int64_t ratings = set.by_user.nnz() + set.test.nnz();
  if (ratings < 2 || ratings != set.by_user.rows) return std::nullopt;
  for (int64_t user = 0; user < set.by_user.rows; ++user)
    if (ratings_in(set.by_user, user) + ratings_in(set.test, user) != 1) return std::nullopt;
  return fmt::format("each of the {} users has one rating: {}{}", set.by_user.rows,
                     place_doubt("user", has_columns),
                     has_columns ? ", and --format adjacency reads lines of a user and items" : "");
}

Doubt lone_items(const RatingSet& set, bool has_columns) {
  const int64_t ratings = set.by_user.nnz() + set.test.nnz();
  if (ratings != set.by_user.cols || set.by_user.rows < 2) return std::nullopt;
  std::vector<int64_t> counts(static_cast<size_t>(set.by_user.cols));
  for (const Csr* matrix : {&set.by_user, &set.test})
    for (const int32_t item : matrix->indices) ++counts[static_cast<size_t>(item)];
  if (*std::max_element(counts.begin(), counts.end()) > 1) return std::nullopt;
  return fmt::format("each of the {} items has one rating: {}", set.by_user.cols,
                     place_doubt("item", has_columns));
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The two lowest values, or the two highest, and how many ratings have the last.
struct End {
  float last, next;
  int64_t count = 0;

  // `beyond(a, b)`: whether a lies nearer to the end than b.
  template <class Beyond>
  void add(float value, int64_t ratings, const Beyond& beyond) {
    if (value == last) {
      count += ratings;
    } else if (beyond(value, last)) {
      next = last;
      last = value;
      count = ratings;
    } else if (beyond(value, next)) {
      next = value;
    }
  }
};

struct Ends {
  End low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};

  void add(float value, int64_t ratings = 1) {
    if (value >= low.next && value <= high.next) return;
    low.add(value, ratings, std::less<>());
    high.add(value, ratings, std::greater<>());
  }
  void add(const Ends& other) {
    low.add(other.low.last, other.low.count, std::less<>());
    low.add(other.low.next, 0, std::less<>());
    high.add(other.high.last, other.high.count, std::greater<>());
    high.add(other.high.next, 0, std::greater<>());
  }
};

void add_values(const Csr& matrix, Ends& ends) {
#pragma omp parallel  // cannot throw
  {
    Ends own;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < matrix.nnz(); ++i) own.add(matrix.values[i]);
#pragma omp critical
    ends.add(own);
  }
}

// A whole number that stands for "none": one farther above all others than these lie apart, such as
// the 99 of ratings from -10 to 10, or the only negative one.
Doubt lone_value(const RatingSet& set) {
  constexpr double kShare = 0.01;  // of the ratings: a highest count is rare
  Ends ends;
  for (const Csr* matrix : {&set.by_user, &set.test}) add_values(*matrix, ends);
  const End &low = ends.low, &high = ends.high;
  const auto ratings = static_cast<double>(set.by_user.nnz() + set.test.nnz());
  const bool several = low.next < high.next;  // between the ends there are values
  const bool lone_high = several && high.last == std::trunc(high.last) &&
                         high.last - high.next > high.next - low.last && high.count > 1 &&
                         static_cast<double>(high.count) >= kShare * ratings;
  const bool lone_low =
      several && !lone_high && low.last < 0 && low.next >= 0 && low.last == std::trunc(low.last);
  if (!lone_low && !lone_high) return std::nullopt;
  const End& end = lone_low ? low : high;
  return fmt::format(
      "{} ratings are {}, and all others lie from {} to {}: if {} stands for no rating, remove the "
      "lines that have it",
      end.count, end.last, lone_low ? low.next : low.last, lone_low ? high.last : high.next,
      end.last);
}

// Texts that databases and other programs write where there is no value.
Doubt missing_ids(const std::vector<std::string>& ids, const char* what) {
  constexpr std::array<std::string_view, 8> kMissing{"nan", "nat",  "null", "none",
                                                     "na",  "<na>", "n/a",  "\\n"};
  const auto stands_for_none = [&](const std::string& id) {
    return id.size() <= 4 && std::ranges::find(kMissing, lower(id)) != kMissing.end();
  };
  const auto found = std::ranges::find_if(ids, stands_for_none);
  if (found == ids.end()) return std::nullopt;
  return fmt::format("one {} is '{}': if that stands for no {}, remove the lines that have it",
                     what, *found, what);
}

// A column of numbers some of which have a fraction or an exponent, as pandas writes long ids of a
// column with gaps, or that is none of ids.
Doubt rounded_ids(const std::vector<std::string>& ids, const char* what, bool has_columns) {
  const auto is_rounded = [](const std::string& id) {
    return id.find_first_of(".eE") != std::string::npos;
  };
  const auto is_number = [](const std::string& id) {
    float number = 0;
    return parse_rating(id, number);
  };
  const auto found = std::ranges::find_if(ids, is_rounded);
  if (found == ids.end() || !std::ranges::all_of(ids, is_number)) return std::nullopt;
  return fmt::format(
      "one {} is {}, a number with a fraction or an exponent: write ids as integers or texts, "
      "since rounded ones may be equal{}",
      what, *found,
      has_columns ? fmt::format(", or say with --columns which column the {} is", what) : "");
}

// A column of times that is taken for that of users or items.
Doubt time_ids(const std::vector<std::string>& ids, const char* what, bool has_columns) {
  const auto is_date = [](const std::string& id) {
    RatingTime time;
    return id.find_first_of(":-") != std::string::npos && parse_time(id, time);
  };
  if (ids.empty() || !std::ranges::all_of(ids, is_date)) return std::nullopt;
  return fmt::format("its {}s are times, such as {}: {}", what, ids.front(),
                     place_doubt(what, has_columns));
}

struct Tested {
  int64_t all = 0, cold = 0;

  void add(bool trained) {
    ++all;
    cold += !trained;
  }
  bool mostly_cold() const { return 2 * cold >= all; }
};

Doubt cold_test(const RatingSet& set) {
  if (set.test.nnz() == 0) return std::nullopt;
  Tested users, items, ratings;
  std::vector<bool> seen(static_cast<size_t>(set.by_item.rows));
  for (int64_t user = 0; user < set.test.rows; ++user) {
    const bool trained = ratings_in(set.by_user, user) > 0;
    if (ratings_in(set.test, user) > 0) users.add(trained);
    for (int64_t k = set.test.offsets[user]; k < set.test.offsets[user + 1]; ++k) {
      const int32_t item = set.test.indices[k];
      const bool learnt = ratings_in(set.by_item, item) > 0;
      if (!seen[static_cast<size_t>(item)]) items.add(learnt);
      seen[static_cast<size_t>(item)] = true;
      ratings.add(trained && learnt);
    }
  }
  if (!users.mostly_cold() && !items.mostly_cold() && !ratings.mostly_cold()) return std::nullopt;
  return fmt::format(
      "{} of {} test users and {} of {} test items have no training rating, so {} of {} test "
      "ratings are not learnt: do training and test ratings have the same ids? Of one file, --by "
      "user-time tests each user's latest ratings",
      users.cold, users.all, items.cold, items.all, ratings.cold, ratings.all);
}

std::vector<std::string> texts_of(std::initializer_list<Doubt> doubts) {
  std::vector<std::string> texts;
  for (const Doubt& doubt : doubts)
    if (doubt) texts.push_back(*doubt);
  return texts;
}

}  // namespace

std::vector<std::string> id_warnings(const std::vector<std::string>& ids, const char* what,
                                     bool has_columns) {
  return texts_of({time_ids(ids, what, has_columns), rounded_ids(ids, what, has_columns),
                   missing_ids(ids, what)});
}

std::vector<std::string> data_warnings(const RatingSet& set, const DataRequest& request) {
  const bool columns = has_columns(format_of(request.path, request.format));
  std::vector<std::string> warnings;
  for (const auto& found :
       {texts_of({lone_users(set, columns), lone_items(set, columns)}),
        id_warnings(set.users, "user", columns), id_warnings(set.items, "item", columns),
        texts_of({lone_value(set), cold_test(set)})})
    warnings.insert(warnings.end(), found.begin(), found.end());
  return warnings;
}

std::vector<std::string> value_warnings(const RatingSet& set) {
  return texts_of(
      {missing_ids(set.users, "user"), missing_ids(set.items, "item"), lone_value(set)});
}

std::string comment_of(const DataRequest& request) {
  if (request.path.empty()) return "";
  const Format format = format_of(request.path, request.format);
  return comment_of(request.path, format, {.columns = request.choice()});
}

std::string merged_id_of(const DataRequest& request) {
  if (request.path.empty()) return "";
  const Format format = format_of(request.path, request.format);
  return merged_id_of(request.path, format, {.columns = request.choice()});
}

std::string unread_columns_of(const DataRequest& request) {
  if (request.path.empty()) return "";
  const Format format = format_of(request.path, request.format);
  return unread_columns_of(request.path, format,
                           {.times = Times::looked_for, .columns = request.choice()});
}

std::string left_out_note(int64_t count, const NameValues& values) {
  if (count == 0) return "";
  return fmt::format("{} {} '{}' {} left out, as --values says", count,
                     count == 1 ? "line of" : "lines of", fmt::join(values.left_out(), "' and '"),
                     count == 1 ? "is" : "are");
}

}  // namespace alsbench
