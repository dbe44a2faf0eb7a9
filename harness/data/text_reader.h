// SPDX-License-Identifier: Apache-2.0
// Lines, fields and numbers of rating files in text form, with errors that name file, line, value
// and remedy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/raw_ratings.h"
#include "harness/files/input_file.h"

namespace alsbench {

// Longer lines are an error: a binary file, or one with holes, may be one line of many gigabytes.
constexpr size_t kLongestLine = size_t{1} << 20;

// Walks the content lines of a piece: blank lines and comments (# and %) are skipped, CR is cut.
class LineReader {
 public:
  explicit LineReader(const TextPiece& piece) : piece_(piece) {}

  // False at the end. Throws UsageError for a line above kLongestLine bytes.
  bool next();
  bool next_with_comments();  // which are then lines, too
  std::string_view line() const { return line_; }
  // Counted when it is asked for.
  int64_t line_number() const;
  // That of the same piece, before its first line.
  LineReader from_the_first() const { return LineReader(piece_); }
  const char* rest() const { return piece_.text.data() + position_; }
  const char* end() const { return piece_.text.data() + piece_.text.size(); }
  // Goes on with the line that begins there.
  void move_to(const char* at) { position_ = static_cast<size_t>(at - piece_.text.data()); }
  size_t position() const { return position_; }  // in the piece, behind the line
  size_t cut_tabs() const;                       // that stood behind the line
  // Throws UsageError "file:line: message", or "file: row N: message" of a piped table.
  [[noreturn]] void fail(const std::string& message) const;
  std::string remedy() const;  // for a line that is wrong

 private:
  const TextPiece& piece_;
  size_t position_ = 0;
  std::string_view line_;
};

bool is_comment(std::string_view line);
// `value` for a message: quoted, shortened, unprintable bytes as \xNN.
std::string shown(std::string_view value);
// The text without a UTF-8 byte order mark.
std::string_view without_bom(std::string_view text);
// Whether a text begins with the banner of MatrixMarket, which has two percent signs, or one where
// people wrote it.
bool is_matrix_market(std::string_view text);
// All lines of the file, which must outlive them, without the first one of Excel, "sep=;". Throws
// UsageError where that names a separator that no format has.
TextPiece whole_of(const InputFile& file);
// The text from its first line that is not blank.
TextPiece without_blank_lines(const TextPiece& whole);
std::string lower(std::string_view text);

// Splits at every `separator`; a blank separator " " stands for any run of blanks and tabs. Fields
// in double quotes lose them. At most `fields.size()` fields; returns how many there are.
size_t split_fields(std::string_view line, std::string_view separator,
                    std::vector<std::string_view>& fields);

// Splits a line of CSV, fields in double quotes as in RFC 4180, but without line breaks. Fields
// lose their quotes, unless they hold doubled ones: then plain() is to remove both.
void split_csv(const LineReader& reader, char separator, std::vector<std::string_view>& fields);
// Separator of the fields of a line of CSV: the first of comma, semicolon and bar that makes
// three of it, else two. Empty where none does.
std::string_view csv_separator(std::string_view line);
inline bool is_quoted(std::string_view field) { return field.starts_with('"'); }
std::string plain(std::string_view quoted);

enum class IdKind { number, text, wrong };
// number: an integer of [0, 2^64), also as "7.0". text: a printable text, also "007", whose number
// is 7. wrong: negative, too large, empty or unprintable.
IdKind parse_id(std::string_view field, uint64_t& number);
// "7" of the text "7.0"; nothing of what is no number, or is written so.
std::optional<std::string> other_writing(std::string_view id);
bool is_negative(std::string_view field);  // "-7", "-7.0"
bool all_digits(std::string_view text);
bool parse_rating(std::string_view field, float& value);  // finite only
// "is too large for a float; divide the ratings", of a number that is no rating; empty of others.
std::string number_fault(std::string_view field);

uint64_t require_number(const LineReader& reader, std::string_view field, const char* what);
float require_rating(const LineReader& reader, std::string_view field);

int64_t line_ends_in(std::string_view text);

// Pieces of about equal size; `starts` says whether a line may begin a piece.
std::vector<TextPiece> split_text(const TextPiece& whole, bool (*starts)(std::string_view line));

}  // namespace alsbench
