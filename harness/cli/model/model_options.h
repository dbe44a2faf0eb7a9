// SPDX-License-Identifier: Apache-2.0
// Shared by the commands that read a model: the option --model, files of ratings, and lines of
// tab-separated values, or arrays, to a file or stdout.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "harness/cli/app.h"
#include "harness/cli/progress/reading_line.h"
#include "harness/data/data_request.h"
#include "harness/data/text_blocks.h"
#include "harness/data/write_ratings.h"
#include "harness/files/file_plan.h"
#include "harness/model/model.h"
#include "harness/model/model_ids.h"

namespace alsbench {

struct ModelOptions {
  std::string folder;
  Duplicates duplicates = Duplicates::error;
  std::string format;  // of ratings; empty: by content
  std::string columns, values;
  bool quiet = false;
};

void add_model_option(CLI::App& command, ModelOptions& options);
// --format, --columns, --values and --duplicates of ratings.
void add_rating_file_options(CLI::App& command, ModelOptions& options);
void reads_model(FilePlan& plan, const ModelOptions& options);

// Warns on stderr of files whose ids are hardly those of the model, and notes what is left out.
void print_data_warnings(const ModelOptions& options, const ModelIds& ids);
// Calls read(), which reads ratings or ids of a file, and shows how far it has come.
template <class Read>
auto read_showing_progress(const ModelOptions& options, const std::filesystem::path& file,
                           const Read& read) {
  const ReadingLine line({.quiet = options.quiet}, file.string());
  return read();
}
RatingFile rating_file(const ModelOptions& options, const std::string& path, RatingPart part);

// Whether the file has pairs of user and item without ratings, and the model predicts ratings, so
// that the 1 that each pair counts as says nothing. Counts of pairs, and a model of pairs, do.
bool lacks_ratings(const ModelOptions& options, const Model& model, const std::string& path);
// Throws UsageError where it does: `what` needs ratings.
void require_ratings(const ModelOptions& options, const Model& model, const std::string& path,
                     const std::string& what);

// Where a table goes, and as what.
struct TableOptions {
  std::string out;     // empty: standard output
  std::string format;  // "tsv", "csv" or "npy"; empty: by the name's ending

  bool is_npy() const;
  bool is_csv() const;
  // Of a FilePlan. A format that is asked for may have any name.
  std::string_view content() const;
};

// Lines of fields: of tsv, or of csv, whose texts are quoted where they must be. Throws UsageError
// for a text that would be read as another one of tsv.
class TableLines {
 public:
  explicit TableLines(const TableOptions& options)
      : csv_(options.is_csv()), file_(options.out.empty() ? kStdout : options.out) {}

  std::string header(std::initializer_list<std::string_view> names) const;
  // Appends a line.
  template <class... Fields>
  void add(TextBlock& text, const std::string& id, const Fields&... fields) const {
    add_field(text, id);
    ((text.add(csv_ ? ',' : '\t'), add_field(text, fields)), ...);
    text.add('\n');
  }

 private:
  template <class Field>
  void add_field(TextBlock& text, const Field& field) const {
    if constexpr (std::is_same_v<Field, std::string>) {
      if (csv_) return text.add(csv_field(field));
      if (!stays_in_tsv(field)) refuse(field);
    }
    text.add(field);
  }
  [[noreturn]] void refuse(const std::string& id) const;

  bool csv_;
  std::string file_;  // of messages
};

// -o and --to; `lines` says what a line of text has, `array` what numpy reads. Without the latter
// there are lines alone.
void add_table_options(CLI::App& command, TableOptions& options, const std::string& lines,
                       const std::string& array = "");

// Calls produce(write), where write(text) appends, for a file or, where the name is empty or
// stdout, for standard output. A file is there as a whole or not at all.
void write_lines(const std::string& target, const FileContent& produce);

// "'a', 'b' and 3 more"
std::string abbreviated_list(const std::vector<std::string>& names);

}  // namespace alsbench
