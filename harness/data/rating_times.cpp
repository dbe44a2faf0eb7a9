// SPDX-License-Identifier: Apache-2.0
#include "harness/data/rating_times.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <numeric>

namespace alsbench {
namespace {

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

// "23:59" or "23:59:59", behind a blank or a T, with or without a Z behind it.
bool take_time_of_day(std::string_view& text, int64_t& seconds) {
  int hour = 0, minute = 0, second = 0;
  if (!take(text, ' ') && !take(text, 'T')) return false;
  if (!take_number(text, 2, hour) || !take(text, ':') || !take_number(text, 2, minute))
    return false;
  if (take(text, ':') && !take_number(text, 2, second)) return false;
  take(text, 'Z');
  seconds = (hour * 60 + minute) * 60 + second;
  return hour < 24 && minute < 60 && second <= 60;
}

bool parse_date(std::string_view text, int64_t& time) {
  int year = 0, month = 0, day = 0;
  if (!take_number(text, 4, year) || !take(text, '-') || !take_number(text, 2, month) ||
      !take(text, '-') || !take_number(text, 2, day))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  int64_t seconds = 0;
  if (!date.ok() || (!text.empty() && !take_time_of_day(text, seconds))) return false;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  time = days * 86400 + seconds;
  return text.empty();
}

}  // namespace

bool parse_time(std::string_view field, int64_t& time) {
  const char* const end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, time);
  if (result.ec == std::errc() && result.ptr == end && !field.empty()) return true;
  return parse_date(field, time);
}

std::vector<int64_t> ages_of(std::span<const int64_t> times) {
  std::vector<int64_t> latest_first(times.size());
  std::iota(latest_first.begin(), latest_first.end(), int64_t{0});
  std::sort(latest_first.begin(), latest_first.end(), [&](int64_t a, int64_t b) {
    const int64_t at = times[static_cast<size_t>(a)], bt = times[static_cast<size_t>(b)];
    return at != bt ? at > bt : a > b;
  });
  std::vector<int64_t> ages(times.size());
  for (size_t age = 0; age < ages.size(); ++age)
    ages[static_cast<size_t>(latest_first[age])] = static_cast<int64_t>(age);
  return ages;
}

std::vector<int64_t> ages_of_cells(const Csr& cells, std::span<const int32_t> rows,
                                   std::span<const int32_t> cols, std::span<const int64_t> ages) {
  std::vector<int64_t> result(static_cast<size_t>(cells.nnz()),
                              std::numeric_limits<int64_t>::max());
  for (size_t i = 0; i < ages.size(); ++i) {
    const auto row = cells.indices.begin() + cells.offsets[rows[i]];
    const auto end = cells.indices.begin() + cells.offsets[rows[i] + 1];
    const auto place = std::lower_bound(row, end, cols[i]) - cells.indices.begin();
    int64_t& age = result[static_cast<size_t>(place)];
    age = std::min(age, ages[i]);
  }
  return result;
}

}  // namespace alsbench
