// SPDX-License-Identifier: Apache-2.0
// Loaders of line-oriented formats, and what their first lines tell.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "harness/data/blank_ids.h"
#include "harness/data/text_columns.h"
#include "harness/data/text_layouts.h"
#include "harness/data/text_pieces.h"
#include "harness/files/input_file.h"
#include "harness/files/piped_table.h"

namespace alsbench {
namespace {

// The files of a folder, or the file itself.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!is_input_folder(path)) return {path};
  if (auto parts = part_files(path); !parts.empty()) return parts;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if ((name.starts_with("mv_") || name.starts_with("combined_data_")) && name.ends_with(".txt"))
      files.push_back(entry.path());
  }
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: holds no mv_*.txt, combined_data_*.txt or part-*; give the folder of "
                    "the Netflix Prize files, or one of parts",
                    path.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The columns of all files, of which the first one has others than `usual` at most. Headers are
// taken off.
Columns find_all_columns(std::vector<TextPiece>& wholes, const ColumnChoice& choice,
                         const Columns& usual) {
  Columns all = usual;
  for (TextPiece& whole : wholes) {
    Columns own = usual;
    find_columns(whole, choice, own);
    if (&whole == &wholes.front()) all = own;
    all.text_ids |= own.text_ids;
    if (own.count == 0 || own.alike(all)) continue;
    const bool mixed = own.separator != all.separator;
    const auto layout = [&](const Columns& columns) {
      return text_of(columns) + (mixed ? "; " + separation_of(columns) + ";" : "");
    };
    const std::string here = layout(own), there = layout(all);
    throw UsageError(
        fmt::format("{}: has {} of {} columns, and {} has {} of {}{}; give files of one layout",
                    whole.file.string(), here, own.count, wholes.front().file.string(), there,
                    all.count, here == there ? ", in another order" : ""));
  }
  return all;
}

// Of a table, whose numbers may be too large to be told apart.
void check_ids(const std::filesystem::path& path, const Columns& columns) {
  for (const ColumnRole role : {ColumnRole::user, ColumnRole::item})
    if (const std::string objection = objection_to_ids(path, columns.of(role)); !objection.empty())
      throw UsageError(objection);
}

RawRatings load_lines(const std::filesystem::path& path, Format format, Columns columns,
                      const TextOptions& options) {
  std::vector<std::shared_ptr<const void>> files;
  std::vector<TextPiece> wholes;
  for (const std::filesystem::path& name : files_of(path)) {
    const InputFile file = open_input(name);
    wholes.push_back(whole_of(file));
    files.push_back(file.bytes);
  }
  if (has_columns(format)) columns = find_all_columns(wholes, options.columns, columns);
  check_ids(path, columns);
  const bool numbers_only = format == Format::netflix || format == Format::kddcup;
  RawRatings raw =
      read_texts(wholes, layout_of(format, columns), numbers_only ? TextIds() : options.ids);
  raw.rated = columns.rated && format != Format::adjacency;
  raw.headed = !columns.header.empty();
  raw.owners.insert(raw.owners.end(), files.begin(), files.end());
  if (raw.values.size() == 0) {
    throw UsageError(fmt::format("{}: holds no {}; give a file with at least one", path.string(),
                                 columns.rated ? "ratings" : "pairs of user and item"));
  }
  return raw;
}

Columns usual_columns(Format format, const TextOptions& options, bool rated = true) {
  Columns columns = columns_of(format);
  columns.rated = rated;
  columns.times = holds_times(format) ? options.times : Times::left_out;
  if (format == Format::libmf) columns.text_ids = options.ids.users || options.ids.items;
  return columns;
}

// The first file of a path, without its header, and how its lines are read.
struct ReadColumns {
  InputFile file;
  TextPiece whole;
  Columns columns;
};

ReadColumns columns_in(const std::filesystem::path& path, const ColumnChoice& choice,
                       const Columns& usual) {
  ReadColumns read{open_input(files_of(path).front(), kInputBeginning), {}, usual};
  read.whole = whole_of(read.file);
  find_columns(read.whole, choice, read.columns);
  return read;
}

}  // namespace

bool has_columns(Format format) {
  return format == Format::tsv || format == Format::dat || format == Format::csv ||
         format == Format::libmf;
}

void check_columns(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (has_columns(format) || (choice.empty() && choice.values().empty())) return;
  throw UsageError(
      fmt::format("{}: the format {} has no columns to choose from; leave {} out, or give tsv, "
                  "csv, dat or libmf",
                  path.string(), name_of(format), choice.empty() ? "--values" : "--columns"));
}

RawRatings load_text(const std::filesystem::path& path, Format format, const TextOptions& options) {
  return load_lines(path, format, usual_columns(format, options), options);
}

RawRatings load_pairs(const std::filesystem::path& path, const TextOptions& options) {
  const Format format = format_of(path, "");
  if (!has_columns(format)) {
    throw UsageError(
        fmt::format("{}: is of the format {}; give pairs as lines of user and item, separated by "
                    "tab, comma, '::' or blank",
                    path.string(), name_of(format)));
  }
  return load_lines(path, format, usual_columns(format, options, false), options);
}

bool has_times(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (format == Format::netflix) return true;
  if (!holds_times(format)) return false;
  return columns_in(path, choice, usual_columns(format, {.times = Times::looked_for}))
      .columns.timed();
}

bool has_values(const std::filesystem::path& path, Format format, const ColumnChoice& choice) {
  if (format == Format::matrix_market) return !is_pattern(path);
  if (!has_columns(format)) return format != Format::adjacency;
  return columns_in(path, choice, columns_of(format)).columns.rated;
}

std::string reading_of(const std::filesystem::path& path, Format format,
                       const TextOptions& options) {
  if (format == Format::adjacency)
    return "adjacency: a user and items a line, each rated 1; fields end at blanks";
  if (!has_columns(format)) return "";
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options));
  std::string note;
  for (const std::string& more :
       {unread_columns(read.columns), commented_line(read.whole, read.columns)})
    if (!more.empty()) note += "; " + more;
  if (const PipedTable* table = piped_table(path); table != nullptr)
    return fmt::format("{}: {}{}", table->kind, text_of(read.columns), note);
  return fmt::format("{}: {}; {}{}", name_of(format), text_of(read.columns),
                     separation_of(read.columns), note);
}

std::string unread_columns_of(const std::filesystem::path& path, Format format,
                              const TextOptions& options) {
  if (!has_columns(format)) return "";
  return unread_columns(columns_in(path, options.columns, usual_columns(format, options)).columns);
}

std::string comment_of(const std::filesystem::path& path, Format format, const TextOptions& options,
                       bool rated) {
  if (!has_columns(format)) return "";
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options, rated));
  const std::string comment = commented_line(read.whole, read.columns);
  return comment.empty() ? "" : comment + " with as many fields as the lines: it is left out";
}

std::string merged_id_of(const std::filesystem::path& path, Format format,
                         const TextOptions& options, bool rated) {
  if (!has_columns(format)) return "";
  ReadColumns read = columns_in(path, options.columns, usual_columns(format, options, rated));
  if (!read.whole.in_file)  // the beginning of an archive may end within a line
    read.whole.text = read.whole.text.substr(0, read.whole.text.rfind('\n') + 1);
  return merged_id(read.whole, read.columns);
}

std::vector<std::vector<std::string>> first_ratings_of(const std::filesystem::path& path,
                                                       Format format, const TextOptions& options,
                                                       size_t count) {
  if (!has_columns(format)) return {};
  const ReadColumns read = columns_in(path, options.columns, usual_columns(format, options));
  const Columns& columns = read.columns;
  const std::vector<ColumnRole> roles = needed_roles(columns);
  std::vector<std::vector<std::string>> rows(1);
  for (const ColumnRole role : roles) rows.front().emplace_back(name_of(role));
  LineReader reader(read.whole);
  std::vector<std::string_view> fields;
  while (rows.size() <= count && reader.next()) {
    split_line(reader, columns, fields);
    std::vector<std::string>& row = rows.emplace_back();
    for (const ColumnRole role : roles) {
      const std::string_view field =
          columns.of(role) < fields.size() ? fields[columns.of(role)] : std::string_view();
      row.push_back(columns.csv() && is_quoted(field) ? plain(field) : std::string(field));
    }
  }
  return rows;
}

}  // namespace alsbench
