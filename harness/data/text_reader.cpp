// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "harness/files/piped_table.h"

namespace alsbench {
namespace {

std::string_view trimmed(std::string_view field) {
  const size_t begin = field.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return field.substr(begin, field.find_last_not_of(" \t") - begin + 1);
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) != 0x7f;
  });
}

// Behind the digits of an integer: the fraction that pandas writes in a column with gaps.
bool only_zeros_follow(std::string_view rest) {
  return rest.front() == '.' && rest.size() > 1 &&
         rest.find_first_not_of('0', 1) == std::string_view::npos;
}

// The end of the field that begins in quotes at `begin`: behind the closing quote.
size_t quoted_end(std::string_view line, size_t begin) {
  const size_t close = line.find('"', begin + 1);
  return close == std::string_view::npos ? line.size() : close + 1;
}

}  // namespace

bool LineReader::next() {
  while (next_with_comments())
    if (!is_comment(line_)) return true;
  return false;
}

bool LineReader::next_with_comments() {
  while (position_ < piece_.text.size()) {
    line_ = piece_.text.substr(position_, kLongestLine + 1);
    line_ = line_.substr(0, line_.find('\n'));
    if (line_.size() > kLongestLine) {
      fail(
          fmt::format("the line that begins with {} is longer than {} bytes; give a rating file, "
                      "or --format",
                      shown(line_), kLongestLine));
    }
    position_ = std::min(position_ + line_.size() + 1, piece_.text.size());
    while (!line_.empty() && (line_.back() == '\r' || line_.back() == ' ' || line_.back() == '\t'))
      line_.remove_suffix(1);
    if (!line_.empty()) return true;
  }
  return false;
}

int64_t LineReader::line_number() const {
  const char* const first = piece_.first != nullptr ? piece_.first : piece_.text.data();
  if (line_.data() == nullptr) return piece_.first_line - 1;
  return piece_.first_line + line_ends_in({first, static_cast<size_t>(line_.data() - first)});
}

size_t LineReader::cut_tabs() const {
  return static_cast<size_t>(std::count(line_.end(), piece_.text.begin() + position_, '\t'));
}

void LineReader::fail(const std::string& message) const {
  throw UsageError(fmt::format("{}: {}", place_of(piece_.file, line_number()), message));
}

std::string LineReader::remedy() const {
  return piped_table(piece_.file) != nullptr
             ? "correct or remove the row"
             : "correct or remove the line, or give --format if the file is of another format";
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with('%'); }

std::string shown(std::string_view value) {
  std::string text = "'";
  for (const char c : value.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text + (value.size() > 60 ? "...'" : "'");
}

namespace {

// Takes the line "sep=;" off the beginning of the text.
void take_separator(TextPiece& whole) {
  constexpr std::string_view kWord = "sep=";
  constexpr std::array<std::string_view, 4> kSeparators{",", ";", "|", "\t"};
  const std::string_view line = whole.text.substr(0, whole.text.substr(0, 8).find('\n'));
  const std::string_view end = line.substr(std::min(line.size(), kWord.size() + 1));
  if (lower(line.substr(0, kWord.size())) != kWord || line.size() == kWord.size() ||
      (!end.empty() && end != "\r"))
    return;
  const auto known = std::ranges::find(kSeparators, line.substr(kWord.size(), 1));
  if (known == kSeparators.end())
    throw UsageError(
        fmt::format("{}: {} names a separator that is not read; separate fields by comma, "
                    "semicolon, bar or tab",
                    alsbench::place_of(whole.file, 1), shown(line.substr(0, kWord.size() + 1))));
  whole.separator = *known;
  whole.text.remove_prefix(std::min(whole.text.size(), line.size() + 1));
  whole.first_line = 2;
}

}  // namespace

std::string_view without_bom(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

TextPiece whole_of(const InputFile& file) {
  TextPiece whole{file.name, without_bom(file.bytes->text()), 1, nullptr, file.bytes->in_file()};
  take_separator(whole);
  return whole;
}

TextPiece without_blank_lines(const TextPiece& whole) {
  const size_t begin = std::min(whole.text.find_first_not_of(" \t\r\n"), whole.text.size());
  const std::string_view blank = whole.text.substr(0, begin);
  TextPiece rest = whole;
  rest.text.remove_prefix(begin);
  rest.first_line += line_ends_in(blank);
  return rest;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

size_t split_fields(std::string_view line, std::string_view separator,
                    std::vector<std::string_view>& fields) {
  fields.clear();
  const bool blanks = separator == " ";
  size_t begin = 0;
  while (true) {
    if (blanks) begin = std::min(line.find_first_not_of(" \t", begin), line.size());
    const bool in_quotes = begin < line.size() && line[begin] == '"';
    const size_t from = in_quotes ? quoted_end(line, begin) : begin;
    const size_t found = blanks ? line.find_first_of(" \t", from) : line.find(separator, from);
    const size_t end = std::min(found, line.size());
    std::string_view field = trimmed(line.substr(begin, end - begin));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    if (found == std::string_view::npos) return fields.size();
    begin = found + separator.size();
  }
}

bool is_matrix_market(std::string_view text) {
  constexpr std::string_view kWord = "matrixmarket";
  const size_t word = std::min(text.find_first_not_of("% "), text.size());
  return text.starts_with('%') && lower(text.substr(word, kWord.size())) == kWord;
}

std::string_view csv_separator(std::string_view line) {
  constexpr std::array<std::string_view, 3> kSeparators{",", ";", "|"};
  std::array<int64_t, kSeparators.size()> counts{};
  bool in_quotes = false, may_open = true;  // a quote within a field is none
  for (const char c : line) {
    const bool turns = c == '"' && (in_quotes || may_open);
    if (turns) in_quotes = !in_quotes;
    bool separates = false;
    for (size_t i = 0; i < kSeparators.size(); ++i) {
      const bool here = !in_quotes && c == kSeparators[i].front();
      counts[i] += here;
      separates |= here;
    }
    if (c != ' ' && c != '\t') may_open = turns || separates;
  }
  for (const int64_t least : {2, 1})
    for (size_t i = 0; i < kSeparators.size(); ++i)
      if (counts[i] >= least) return kSeparators[i];
  return {};
}

void split_csv(const LineReader& reader, char separator, std::vector<std::string_view>& fields) {
  const std::string_view line = reader.line();
  const auto next = [&](size_t from) {
    return std::min(line.find_first_not_of(" \t", from), line.size());
  };
  fields.clear();
  for (size_t begin = next(0);; begin = next(begin)) {
    size_t end = std::min(line.find(separator, begin), line.size());
    if (is_quoted(line.substr(begin))) {
      size_t close = line.find('"', begin + 1);
      const size_t first_quote = close;
      while (close != std::string_view::npos && line.substr(close + 1).starts_with('"'))
        close = line.find('"', close + 2);
      if (close == std::string_view::npos) {
        reader.fail(
            fmt::format("the quotes of {} are not closed on this line; close them, and "
                        "remove line breaks from fields",
                        shown(line.substr(begin))));
      }
      end = next(close + 1);
      if (end < line.size() && line[end] != separator) {
        reader.fail(
            fmt::format("{} follows the closing quote of a field; double the quotes "
                        "inside of fields",
                        shown(line.substr(end))));
      }
      const bool doubled = first_quote != close;
      fields.push_back(doubled ? line.substr(begin, close + 1 - begin)
                               : line.substr(begin + 1, close - begin - 1));
    } else {
      fields.push_back(trimmed(line.substr(begin, end - begin)));
    }
    if (end == line.size()) return;
    begin = end + 1;
  }
}

std::string plain(std::string_view quoted) {
  std::string text;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    text += quoted[i];
    if (quoted[i] == '"') ++i;
  }
  return text;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_negative(std::string_view field) {
  uint64_t number = 0;
  return field.starts_with('-') &&
         (all_digits(field.substr(1)) || parse_id(field.substr(1), number) == IdKind::number);
}

IdKind parse_id(std::string_view field, uint64_t& number) {
  const char* const end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, number);
  if (result.ec == std::errc()) {
    const bool zero_leads = field.front() == '0' && result.ptr != field.data() + 1;
    if (!zero_leads && (result.ptr == end || only_zeros_follow({result.ptr, end})))
      return IdKind::number;
  }
  if (field.empty()) return IdKind::wrong;
  const bool too_large = result.ec == std::errc::result_out_of_range && all_digits(field);
  return too_large || is_negative(field) || !printable(field) ? IdKind::wrong : IdKind::text;
}

std::optional<std::string> other_writing(std::string_view id) {
  uint64_t number = 0;
  if (parse_id(id, number) != IdKind::number || all_digits(id)) return std::nullopt;
  return std::to_string(number);
}

bool parse_rating(std::string_view field, float& value) {
  const char* const end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, value);
  if (result.ptr != end || field.empty()) {
    const bool positive = field.starts_with('+') && !field.substr(1).starts_with('-') &&
                          !field.substr(1).starts_with('+');
    return positive && parse_rating(field.substr(1), value);
  }
  // Too small for a float: the nearest one; too large: infinite.
  if (result.ec == std::errc::result_out_of_range)
    value = std::strtof(std::string(field).c_str(), nullptr);
  else if (result.ec != std::errc())
    return false;
  return std::isfinite(value);
}

std::string number_fault(std::string_view field) {
  const bool comma = field.find(',') != std::string_view::npos;
  std::string number(field);
  std::erase(number, ',');
  if (number.find_first_not_of("0123456789+-.eE") != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0') return {};
  if (comma)
    return "has a comma; write numbers with a decimal point and no mark of thousands, such as "
           "1234.5";
  const bool too_large = std::abs(value) > std::numeric_limits<float>::max();
  return too_large ? "is too large for a float; divide the ratings" : "";
}

uint64_t require_number(const LineReader& reader, std::string_view field, const char* what) {
  uint64_t number = 0;
  const IdKind kind = parse_id(field, number);
  if (kind == IdKind::wrong || (kind == IdKind::text && !all_digits(field))) {
    reader.fail(fmt::format("{} {} is not an integer of [0, 2^64); {}", what, shown(field),
                            reader.remedy()));
  }
  return number;
}

float require_rating(const LineReader& reader, std::string_view field) {
  float value = 0;
  if (parse_rating(field, value)) return value;
  const std::string fault = number_fault(field);
  reader.fail(fmt::format(
      "rating {} {}", shown(field),
      fault.empty() ? fmt::format("is not a finite number; {}", reader.remedy()) : fault));
}

int64_t line_ends_in(std::string_view text) {
  constexpr size_t kBlock = 192;  // whose number of line ends is a byte: a vector adds many at once
  int64_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min(kBlock, text.size()))) {
    uint8_t in_block = 0;
    for (const char c : text.substr(0, kBlock)) in_block += c == '\n';
    count += in_block;
  }
  return count;
}

std::vector<TextPiece> split_text(const TextPiece& whole, bool (*starts)(std::string_view line)) {
  constexpr size_t kPieceBytes = size_t{1} << 22;
  std::vector<TextPiece> pieces;
  std::string_view text = whole.text;
  const char* const first = whole.first != nullptr ? whole.first : text.data();
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = std::min(begin + kPieceBytes, text.size());
    while (end < text.size()) {
      const std::string_view line = text.substr(end - 1, kLongestLine + 1);
      const size_t length = std::min(line.find('\n'), line.size());
      end = std::min(end + length, text.size());
      if (length > kLongestLine) text = text.substr(0, end);  // LineReader refuses this line
      if (end == text.size()) break;
      const std::string_view rest = text.substr(end, kLongestLine);
      if (starts(rest.substr(0, rest.find_first_of("\r\n")))) break;
      ++end;
    }
    pieces.push_back(
        {whole.file, text.substr(begin, end - begin), whole.first_line, first, whole.in_file});
    begin = end;
  }
  return pieces;
}

}  // namespace alsbench
