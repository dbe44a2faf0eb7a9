// SPDX-License-Identifier: Apache-2.0
#include "harness/data/rating_times.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/data/array_builder.h"

namespace alsbench {
namespace {

constexpr int32_t kNanoseconds = 1'000'000'000;  // of a second

// Takes `digits` digits off the front of `text`.
bool take_number(std::string_view& text, size_t digits, int& number) {
  if (text.size() < digits) return false;
  const auto result = std::from_chars(text.data(), text.data() + digits, number);
  if (result.ec != std::errc() || result.ptr != text.data() + digits || number < 0) return false;
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// ".25", cut to nanoseconds.
bool take_fraction(std::string_view& text, int32_t& nanoseconds) {
  if (!take(text, '.') && !take(text, ',')) return false;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits)
    if (digits < 9) nanoseconds = nanoseconds * 10 + (text[digits] - '0');
  for (size_t missing = std::min<size_t>(digits, 9); missing < 9; ++missing) nanoseconds *= 10;
  text.remove_prefix(digits);
  return true;
}

// Behind a time of day: "Z", " UTC", "+02:00", "-0530" or "+02".
bool take_offset(std::string_view& text, int64_t& seconds) {
  while (take(text, ' ')) continue;
  if (text == "Z" || text == "z" || text == "UTC" || text == "GMT") text = {};
  if (text.empty()) return true;
  const bool behind = take(text, '-');
  int hours = 0, minutes = 0;
  if ((!behind && !take(text, '+')) || !take_number(text, 2, hours)) return false;
  take(text, ':');
  if (!text.empty() && !take_number(text, 2, minutes)) return false;
  seconds = int64_t{60} * (hours * 60 + minutes) * (behind ? -1 : 1);
  return hours < 24 && minutes < 60;
}

// "23:59" or "23:59:59.25", behind a blank or a T, with or without an offset behind it.
bool take_time_of_day(std::string_view& text, RatingTime& time) {
  int hour = 0, minute = 0, second = 0;
  int64_t offset = 0;
  if (!take(text, ' ') && !take(text, 'T')) return false;
  if (!take_number(text, 2, hour) || !take(text, ':') || !take_number(text, 2, minute))
    return false;
  if (take(text, ':')) {
    if (!take_number(text, 2, second)) return false;
    take_fraction(text, time.nanoseconds);
  }
  if (!take_offset(text, offset)) return false;
  time.seconds = (hour * 60 + minute) * 60 + second - offset;
  return hour < 24 && minute < 60 && second <= 60;
}

bool parse_date(std::string_view text, RatingTime& time) {
  int year = 0, month = 0, day = 0;
  if (!take_number(text, 4, year) || !take(text, '-') || !take_number(text, 2, month) ||
      !take(text, '-') || !take_number(text, 2, day))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  time = {};
  if (!date.ok() || (!text.empty() && !take_time_of_day(text, time))) return false;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  time.seconds += days * 86400;
  return text.empty();
}

// "1700000000", "1700000000.5", or with an exponent, as programs write large floats.
bool parse_number(std::string_view text, RatingTime& time) {
  const char* const end = text.data() + text.size();
  time = {};
  const auto whole = std::from_chars(text.data(), end, time.seconds);
  if (whole.ec == std::errc() && whole.ptr == end) return true;
  std::string_view rest(whole.ptr, static_cast<size_t>(end - whole.ptr));
  if (whole.ec == std::errc() && take_fraction(rest, time.nanoseconds) && rest.empty()) {
    if (text.front() == '-' && time.nanoseconds > 0) {
      --time.seconds;
      time.nanoseconds = kNanoseconds - time.nanoseconds;
    }
    return true;
  }
  double number = 0;
  const auto other = std::from_chars(text.data(), end, number);
  if (other.ec != std::errc() || other.ptr != end || !(std::abs(number) < 9e18)) return false;
  time.seconds = static_cast<int64_t>(std::floor(number));
  time.nanoseconds =
      static_cast<int32_t>(std::lround((number - std::floor(number)) * kNanoseconds));
  if (time.nanoseconds == kNanoseconds) time = {time.seconds + 1};
  return true;
}

// Where a matrix has the cell, which it holds.
int64_t place_of(const Csr& cells, int32_t row, int32_t col) {
  const auto begin = cells.indices.begin() + cells.offsets[row];
  const auto end = cells.indices.begin() + cells.offsets[row + 1];
  return std::lower_bound(begin, end, col) - cells.indices.begin();
}

}  // namespace

bool parse_time(std::string_view field, RatingTime& time) {
  return !field.empty() && (parse_number(field, time) || parse_date(field, time));
}

void add_time(TextBlock& text, const RatingTime& time) {
  if (time.nanoseconds == 0) return text.add(time.seconds);
  const bool negative = time.seconds < 0;  // then the fraction counts towards zero
  const int64_t whole = negative ? -(time.seconds + 1) : time.seconds;
  const int32_t fraction = negative ? kNanoseconds - time.nanoseconds : time.nanoseconds;
  std::string digits = fmt::format("{:09}", fraction);
  digits.erase(digits.find_last_not_of('0') + 1);
  text.add(negative ? "-" : "", whole, '.', digits);
}

std::vector<int64_t> ages_of(std::span<const RatingTime> times) {
  std::vector<int64_t> latest_first(times.size());
  std::iota(latest_first.begin(), latest_first.end(), int64_t{0});
  std::sort(latest_first.begin(), latest_first.end(), [&](int64_t a, int64_t b) {
    const RatingTime &at = times[static_cast<size_t>(a)], &bt = times[static_cast<size_t>(b)];
    return at != bt ? at > bt : a > b;
  });
  std::vector<int64_t> ages(times.size());
  for (size_t age = 0; age < ages.size(); ++age)
    ages[static_cast<size_t>(latest_first[age])] = static_cast<int64_t>(age);
  return ages;
}

std::vector<int64_t> ages_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                   std::span<const int32_t> cols, std::span<const int64_t> ages,
                                   OfSeveral counts) {
  std::vector<int64_t> result(static_cast<size_t>(cells.nnz()),
                              std::numeric_limits<int64_t>::max());
  for (size_t i = 0; i < ages.size(); ++i) {
    int64_t& age = result[static_cast<size_t>(place_of(cells, rows[i], cols[i]))];
    age = counts == OfSeveral::last ? ages[i] : std::min(age, ages[i]);
  }
  return result;
}

Array<RatingTime> times_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                 std::span<const int32_t> cols, std::span<const RatingTime> times,
                                 OfSeveral counts) {
  ArrayBuilder<RatingTime> result(cells.nnz());
  std::fill_n(result.data(), cells.nnz(), RatingTime{std::numeric_limits<int64_t>::min()});
  for (size_t i = 0; i < times.size(); ++i) {
    RatingTime& time = result[place_of(cells, rows[i], cols[i])];
    time = counts == OfSeveral::last ? times[i] : std::max(time, times[i]);
  }
  return result.freeze();
}

Array<RatingTime> times_of_part(const Csr& all, std::span<const RatingTime> times,
                                const Csr& part) {
  ArrayBuilder<RatingTime> result(part.nnz());
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < part.rows; ++row) {
    int64_t i = all.offsets[row];
    for (int64_t place = part.offsets[row]; place < part.offsets[row + 1]; ++place) {
      while (all.indices[i] != part.indices[place]) ++i;
      result[place] = times[static_cast<size_t>(i)];
    }
  }
  return result.freeze();
}

}  // namespace alsbench
