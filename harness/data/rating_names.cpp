// SPDX-License-Identifier: Apache-2.0
#include "harness/data/rating_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/data/column_names.h"

namespace alsbench {
namespace {

using LineFields = std::vector<std::string_view>;

// Whether a text is the name of something, and can be one of --values within single quotes.
bool is_name(std::string_view text) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  const std::string small = lower(text.substr(has_sign ? 1 : 0));
  const bool word = std::any_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) > 0x7f;
  });
  return word && small != "nan" && small != "inf" && small != "infinity" && small != "null" &&
         text.find_first_of(",='\"\\") == std::string_view::npos;
}

// Columns that may be the ratings in place of the one that holds none: those without another role,
// whose fields are all numbers, though not all as large as times are.
class NumberColumns {
 public:
  explicit NumberColumns(const Columns& columns)
      : numbers_(columns.count, true), small_(columns.count, false) {
    for (const ColumnRole role : kColumnRoles)
      if (columns.needs(role) && columns.of(role) < columns.count)
        numbers_[columns.of(role)] = false;
    for (size_t i = 0; i < columns.header.size(); ++i)
      if (lower(columns.header[i]).ends_with("id") ||
          match_of(columns.header[i], ColumnRole::time) != Match::none)
        numbers_[i] = false;
  }
  void add(const LineFields& fields) {
    constexpr float kTimes = 1e8;  // seconds since 1970: in 1973
    for (size_t i = 0; i < numbers_.size(); ++i) {
      float number = 0;
      if (!parse_rating(fields[i], number)) numbers_[i] = false;
      if (number < kTimes) small_[i] = true;
    }
  }
  // From 1; nothing unless there is one.
  std::optional<size_t> the_one() const {
    std::optional<size_t> found;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      if (!numbers_[i] || !small_[i]) continue;
      if (found) return std::nullopt;
      found = i + 1;
    }
    return found;
  }

 private:
  std::vector<bool> numbers_, small_;
};

// The option with a value for each name: numbers from 1, but those of truths from 0.
std::string values_for(const std::set<std::string>& names) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
      "0123456789_-.+";
  const bool truths = std::ranges::all_of(names, [](const std::string& name) {
    return lower(name) == "false" || lower(name) == "true";
  });
  std::vector<std::string> values;
  for (const std::string& name : names)
    values.push_back(
        fmt::format("{}={}", name, truths ? size_t{lower(name) == "true"} : values.size() + 1));
  const bool quoted = std::ranges::any_of(names, [&](const std::string& name) {
    return name.find_first_not_of(kPlain) != std::string::npos;
  });
  const char* const quote = quoted ? "'" : "";
  return fmt::format("--values {}{}{}", quote, fmt::join(values, ","), quote);
}

// The remedies where the first lines of the piece have names throughout; empty where one has a
// number, as the line is wrong then.
std::string remedy_for_names(const LineReader& reader, const Columns& columns) {
  constexpr int kLines = 1000;
  constexpr size_t kMaxNames = 8;
  LineReader lines = reader.from_the_first();
  LineFields fields;
  std::set<std::string> names;
  NumberColumns numbers(columns);
  for (int i = 0; i < kLines && lines.next(); ++i) {
    split_line(lines, columns, fields);
    if (fields.size() != columns.count) break;
    const std::string_view rating = fields[columns.of(ColumnRole::rating)];
    if (!is_name(rating)) return "";
    names.emplace(rating);
    numbers.add(fields);
  }
  const std::optional<size_t> other = numbers.the_one();
  return fmt::format("{}{}{}--columns rating=none, and each line counts 1",
                     other
                         ? fmt::format("--columns rating={}, whose fields are numbers, or ", *other)
                         : std::string(),
                     names.size() <= kMaxNames ? values_for(names) : std::string(),
                     names.size() <= kMaxNames ? ", or " : "");
}

[[noreturn]] void fail_name(const LineReader& reader, const Columns& columns,
                            std::string_view name) {
  reader.fail(
      fmt::format("rating {} is none of {}, which have values; add {}=.. to --values, or "
                  "{}={} to leave its lines out",
                  shown(name), fmt::join(columns.values.names(), ", "), name, name, kNoColumn));
}

const NameValues::Value* value_of(const Columns& columns, std::string_view field) {
  return columns.values.find(columns.csv() && is_quoted(field) ? plain(field) : std::string(field));
}

}  // namespace

std::optional<float> rating_in(const LineReader& reader, const Columns& columns,
                               std::string_view field) {
  if (!columns.values.empty()) {
    const NameValues::Value* const value = value_of(columns, field);
    if (value == nullptr) fail_name(reader, columns, field);
    return *value;
  }
  float value = 0;
  if (parse_rating(field, value)) return value;
  const std::string remedy =
      number_fault(field).empty() ? remedy_for_names(reader, columns) : std::string();
  if (remedy.empty()) return require_rating(reader, field);
  reader.fail(fmt::format("rating {} is not a finite number; give {}", shown(field), remedy));
}

}  // namespace alsbench
