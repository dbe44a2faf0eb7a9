// SPDX-License-Identifier: Apache-2.0
// Names and detection of rating file formats.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/error.h"
#include "harness/data/set_file.h"
#include "harness/data/text_reader.h"
#include "harness/files/input_file.h"
#include "harness/files/piped_table.h"
#include "harness/files/unpack.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<Format, std::string_view>, 11> kNames{{
    {Format::tsv, "tsv"},
    {Format::dat, "dat"},
    {Format::csv, "csv"},
    {Format::netflix, "netflix"},
    {Format::kddcup, "kddcup"},
    {Format::libmf, "libmf"},
    {Format::adjacency, "adjacency"},
    {Format::matrix_market, "matrix-market"},
    {Format::cumf, "cumf"},
    {Format::npz, "npz"},
    {Format::alsset, "alsset"},
}};

Format detect_in_folder(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("R_train_csr.") || name.starts_with("R_train_csc.")) return Format::cumf;
    if ((name.starts_with("mv_") || name.starts_with("combined_data_")) && name.ends_with(".txt"))
      return Format::netflix;
  }
  const std::vector<fs::path> parts = part_files(folder);
  const Format format = parts.empty() ? Format::alsset : detect_format(parts.front());
  if (has_columns(format)) return format;
  if (!parts.empty())
    throw UsageError(
        fmt::format("{}: is of the format {}; the files of a folder are tsv, csv, dat or libmf",
                    parts.front().string(), name_of(format)));
  throw UsageError(
      fmt::format("{}: the folder holds neither Netflix Prize files (mv_*.txt, "
                  "combined_data_*.txt) nor cuMF files (R_train_csr.data.bin) nor parts "
                  "(part-00000.csv); give one that does, or a file",
                  folder.string()));
}

// Whether the text begins as MatrixMarket, be it with one percent sign. Throws UsageError where the
// banner is late: it would be read over as a comment, and the sizes below it as a rating.
bool has_banner(const TextPiece& whole) {
  constexpr std::string_view kWord = "matrixmarket";
  if (is_matrix_market(whole.text.substr(0, kLongestLine))) return true;
  TextPiece rest = whole;
  while (rest.text.starts_with('%') || rest.text.starts_with('#')) {
    const size_t end = rest.text.substr(0, kLongestLine).find('\n');
    const std::string_view comment = rest.text.substr(0, std::min(end, kLongestLine));
    const size_t word = std::min(comment.find_first_not_of("%# \t"), comment.size());
    if (lower(comment.substr(word, kWord.size())) == kWord)
      throw UsageError(fmt::format(
          "{}:{}: {} is no banner of MatrixMarket; write '%%MatrixMarket ...' in the first line",
          rest.file.string(), rest.first_line, shown(comment)));
    if (end == std::string_view::npos) return false;
    rest.text.remove_prefix(end);
    rest = without_blank_lines(rest);
  }
  return false;
}

// Whether each line is a user and their items: lines of different numbers of fields, whole numbers
// between blanks, each user opening one line. Looks at the beginning of the text.
bool is_adjacency(const TextPiece& whole) {
  TextPiece beginning = whole;
  if (whole.text.size() > kLongestLine) {
    beginning.text = whole.text.substr(0, kLongestLine);
    beginning.text = beginning.text.substr(0, beginning.text.rfind('\n') + 1);
  }
  LineReader reader(beginning);
  std::vector<std::string_view> fields;
  std::unordered_set<std::string_view> users;
  size_t first = 0;
  bool ragged = false;
  while (reader.next()) {
    if (reader.line().find('\t') != std::string_view::npos) return false;
    split_fields(reader.line(), " ", fields);
    if (!std::all_of(fields.begin(), fields.end(), all_digits)) return false;
    if (!users.insert(fields.front()).second) return false;
    if (first == 0) first = fields.size();
    ragged |= fields.size() != first;
  }
  return ragged;
}

}  // namespace

std::vector<fs::path> part_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("part-") && entry.is_regular_file() &&
        entry.file_size() > 0)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string_view name_of(Format format) {
  return std::find_if(kNames.begin(), kNames.end(),
                      [&](const auto& n) { return n.first == format; })
      ->second;
}

Format format_named(std::string_view name) {
  std::string known;
  for (const auto& [format, format_name] : kNames) {
    if (format_name == name) return format;
    known += (known.empty() ? "" : ", ") + std::string(format_name);
  }
  throw UsageError(fmt::format("format {} is not known; known are {}", shown(name), known));
}

Format detect_format(const fs::path& path) {
  if (is_input_folder(path)) return detect_in_folder(path);
  const InputFile file = open_input(path, kInputBeginning);
  const std::string_view text = without_bom(file.bytes->text());
  if (text.empty()) {
    throw UsageError(
        fmt::format("{}: the file is empty; give one with ratings", file.name.string()));
  }
  if (text.starts_with(kSetFileMagic)) return Format::alsset;
  if (is_zip(text)) return Format::npz;
  const TextPiece whole = whole_of(file);
  constexpr size_t kDetectionBytes = size_t{1} << 16;  // the whole may be one line without end
  const std::string_view seen = text.substr(0, kDetectionBytes);
  if (const size_t nul = seen.find('\0'); nul != std::string_view::npos) {
    const size_t begin = seen.substr(0, nul).find_last_of('\n') + 1;  // of its line
    throw UsageError(fmt::format("{}:{}: {} is binary, not text; give a rating file, or --format",
                                 file.name.string(), 1 + line_ends_in(seen.substr(0, begin)),
                                 shown(seen.substr(begin, seen.find('\n', nul) - begin))));
  }
  if (has_banner(without_blank_lines(whole))) return Format::matrix_market;
  if (lower(file.name.extension().string()) == ".mtx")
    throw UsageError(fmt::format(
        "{}: does not begin with '%%MatrixMarket ...' as its name says; add that line, or "
        "give --format libmf if each line is a rating",
        file.name.string()));
  if (!whole.separator.empty()) return whole.separator == "\t" ? Format::tsv : Format::csv;
  if (is_adjacency(whole)) return Format::adjacency;
  LineReader reader(whole);
  if (!reader.next()) {
    throw UsageError(fmt::format(
        "{}: holds only comments and blank lines; give a file with ratings", file.name.string()));
  }
  const std::string_view line = reader.line();
  if (line.find('\r') != std::string_view::npos &&
      file.bytes->text().find('\n') == std::string_view::npos)
    throw UsageError(
        fmt::format("{}: its lines end with a carriage return alone; end them on the way: tr '\\r' "
                    "'\\n' < {} | "
                    "alsbench ... -",
                    file.name.string(), file.name.string()));
  if (std::any_of(line.begin(), line.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; })) {
    reader.fail(
        fmt::format("{} is binary, not text; give a rating file, or --format", shown(line)));
  }
  const size_t bar = line.find('|');
  if (bar != std::string_view::npos && all_digits(line.substr(0, bar)) &&
      all_digits(line.substr(bar + 1)))
    return Format::kddcup;
  if (line.back() == ':' && all_digits(line.substr(0, line.size() - 1))) return Format::netflix;
  if (line.find("::") != std::string_view::npos) return Format::dat;
  if (line.find('\t') != std::string_view::npos) return Format::tsv;
  if (!csv_separator(line).empty()) return Format::csv;
  if (line.find(' ') != std::string_view::npos) return Format::libmf;
  reader.fail(
      fmt::format("{} is of no known format; give --format, or separate user, item and "
                  "rating by tab, comma, '::' or blank",
                  shown(line)));
}

bool holds_times(Format format) {
  return format == Format::tsv || format == Format::dat || format == Format::csv ||
         format == Format::netflix || format == Format::alsset;
}

bool holds_ids(Format format) {
  return format == Format::tsv || format == Format::dat || format == Format::csv ||
         format == Format::alsset;
}

void check_times(const fs::path& path, Format format) {
  if (!holds_times(format))
    throw UsageError(
        fmt::format("{}: the format {} holds no times; give ratings with times as tsv, dat, csv, "
                    "netflix or alsset, or split by random or leave-one-out",
                    path.string(), name_of(format)));
}

RawRatings load_raw(const fs::path& path, Format format, const TextOptions& options) {
  if (options.times == Times::read) check_times(path, format);
  check_columns(path, format, options.columns);
  switch (format) {
    case Format::matrix_market:
      return load_matrix_market(path);
    case Format::cumf:
      return load_cumf(path);
    case Format::npz:
      return load_npz(path);
    case Format::alsset:
      throw UsageError(fmt::format(
          "{}: is a whole set, no list of test ratings; give tsv, csv or another format of ratings",
          path.string()));
    default:
      return load_text(path, format, options);
  }
}

std::string RawRatings::place_of(int64_t i) const {
  const auto next =
      std::upper_bound(pieces.begin(), pieces.end(), i,
                       [](int64_t at, const RawPiece& piece) { return at < piece.first_rating; });
  const RawPiece& piece = *(next - 1);
  const int64_t within = i - piece.first_rating;
  const fs::path& file = piece.text.file;
  return line_of ? alsbench::place_of(file, line_of(piece.text, within))
                 : fmt::format("{}: entry {}", file.string(), within + 1);
}

}  // namespace alsbench
