// SPDX-License-Identifier: Apache-2.0
#include "harness/data/plain_line.h"

#include <charconv>
#include <cmath>

#include "harness/data/digits.h"

namespace alsbench {
namespace {

// That a field may read, of two runs of digits, a sign and a point.
constexpr int64_t kPlainBytes = 2 * kDigitBytes + 2;

// The nearest float, as std::from_chars finds it: that of w / 10^n for integers below 2^24 and
// powers that a float holds, since one division rounds once.
bool take_rating(const char*& at, const char* end, float& value) {
  constexpr float kPowers[] = {1, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
  constexpr int kMaxDigits = 7;
  const char* const begin = at;
  const bool negative = *at == '-';
  at += negative;
  uint64_t whole = 0, fraction = 0;
  const int digits = take_digits(at, whole);
  int behind = 0;
  const bool has_point = digits > 0 && digits < kMaxDigits && *at == '.';
  if (has_point) behind = take_digits(++at, fraction);
  const bool fits = digits > 0 && digits + behind <= kMaxDigits && has_point == (behind > 0) &&
                    *at != 'e' && *at != 'E';
  if (fits) {
    const auto scaled = static_cast<float>(static_cast<int64_t>(whole)) * kPowers[behind] +
                        static_cast<float>(static_cast<int64_t>(fraction));
    value = scaled / kPowers[behind];
    if (negative) value = -value;
    return true;
  }
  const auto result = std::from_chars(begin, end, value);
  at = result.ptr;
  return result.ec == std::errc() && std::isfinite(value);
}

bool take_time(const char*& at, const char* end, int64_t& time) {
  const auto result = std::from_chars(at, end, time);
  at = result.ptr;
  return result.ec == std::errc();
}

bool take_line_end(const char*& at, const char* end) {
  if (at < end && *at == '\r') ++at;
  if (at == end || *at != '\n') return false;
  ++at;
  return true;
}

}  // namespace

PlainLine::PlainLine(const Columns& columns)
    : fields_(columns.count, Field::skipped),
      separator_(columns.separator.front()),
      blanks_(separator_ == ' '),
      colons_(separator_ == ':'),
      text_ids_(columns.text_ids) {
  constexpr Field kFields[] = {Field::user, Field::item, Field::rating, Field::time};
  for (const ColumnRole role : kColumnRoles)
    if (columns.needs(role) && columns.of(role) < fields_.size())
      fields_[columns.of(role)] = kFields[static_cast<size_t>(role)];
}

bool PlainLine::take_separator(const char*& at, const char* end) const {
  if (at + 1 >= end || !separates(*at)) return false;
  ++at;
  if (colons_) {
    if (*at != ':') return false;
    ++at;
  }
  while (blanks_ && at < end && separates(*at)) ++at;
  return true;
}

bool PlainLine::take_id(const char*& at, uint64_t& number) const {
  constexpr int kMaxDigits = 19;  // all such numbers are below 2^64
  const bool zero_leads = *at == '0';
  const int digits = take_digits(at, number);
  return digits > 0 && digits <= kMaxDigits && (!zero_leads || digits == 1);
}

bool PlainLine::take_text(const char*& at, const char* end, std::string_view& text) const {
  const char* const begin = at;
  constexpr std::string_view kSpecial = "\"- \t";
  if (!text_ids_ || kSpecial.find(*at) != std::string_view::npos) return false;
  while (true) {
    if (end - at < 8) return false;
    const uint64_t word = eight_bytes(at);
    const int count = bytes_before(equal_bytes(word, separator_) | control_bytes(word) |
                                   equal_bytes(word, '\x7f'));
    at += count;
    if (count < 8) break;
  }
  text = {begin, static_cast<size_t>(at - begin)};
  constexpr size_t kLongestNumber = 19;
  return !text.empty() && text.back() != ' ' &&
         (text.size() <= kLongestNumber || !all_digits(text));
}

bool PlainLine::skip(const char*& at, const char* end) const {
  const char* const begin = at;
  const bool blank = *at == ' ' || *at == '\t';
  if (*at == '"' || (blank && !separates(*at))) return false;
  while (true) {
    if (end - at < 8) return false;
    const uint64_t word = eight_bytes(at);
    uint64_t stops = equal_bytes(word, separator_) | equal_bytes(word, '\n');
    if (blanks_) stops |= equal_bytes(word, '\t');
    const int count = bytes_before(stops);
    at += count;
    if (count < 8) break;
  }
  if (at > begin && at[-1] == '\r' && *at == '\n') --at;  // of the end of the line
  return true;
}

bool PlainLine::take_field(Field field, const char*& at, const char* end, TextIds text,
                           LineValues& values) const {
  switch (field) {
    case Field::user:
      return text.users ? take_text(at, end, values.user_text) : take_id(at, values.user);
    case Field::item:
      return text.items ? take_text(at, end, values.item_text) : take_id(at, values.item);
    case Field::rating:
      return take_rating(at, end, values.rating);
    case Field::time:
      return take_time(at, end, values.time);
    default:
      return skip(at, end);
  }
}

bool PlainLine::take(const char*& at, const char* end, TextIds text, LineValues& values) const {
  const char* const begin = at;
  if (end - at < kPlainBytes || *at == '#' || *at == '%') return false;
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (i > 0 && !take_separator(at, end)) return false;
    if (end - at < kPlainBytes || !take_field(fields_[i], at, end, text, values)) return false;
  }
  return take_line_end(at, end) && at - begin <= static_cast<int64_t>(kLongestLine);
}

}  // namespace alsbench
