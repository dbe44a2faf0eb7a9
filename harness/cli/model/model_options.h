// SPDX-License-Identifier: Apache-2.0
// Shared by the commands that read a model: the option --model, files of ratings, and lines of
// tab-separated values, or arrays, to a file or stdout.
#pragma once

#include <functional>
#include <string>

#include "harness/cli/app.h"
#include "harness/cli/progress/reading_line.h"
#include "harness/data/data_request.h"
#include "harness/data/text_blocks.h"
#include "harness/files/file_plan.h"
#include "harness/model/model.h"
#include "harness/model/model_ids.h"

namespace alsbench {

struct ModelOptions {
  std::string folder;
  Duplicates duplicates = Duplicates::error;
  std::string format;  // of ratings; empty: by content
  std::string columns;
  bool quiet = false;
};

void add_model_option(CLI::App& command, ModelOptions& options);
// --format, --columns and --duplicates of ratings.
void add_rating_file_options(CLI::App& command, ModelOptions& options);
void reads_model(FilePlan& plan, const ModelOptions& options);

// Warns on stderr of files whose ids are hardly those of the model.
void print_data_warnings(const ModelIds& ids);
// Calls read(), which reads ratings or ids of a file, and shows how far it has come.
template <class Read>
auto read_showing_progress(const ModelOptions& options, const std::filesystem::path& file,
                           const Read& read) {
  const ReadingLine line({.quiet = options.quiet}, file.string());
  return read();
}
RatingFile rating_file(const ModelOptions& options, const std::string& path, RatingPart part);

// Where a table goes, and as what.
struct TableOptions {
  std::string out;     // empty: standard output
  std::string format;  // "tsv" or "npy"; empty: by the name's ending

  bool is_npy() const;
};
// -o and --to; `lines` says what a line of text has, `array` what numpy reads.
void add_table_options(CLI::App& command, TableOptions& options, const std::string& lines,
                       const std::string& array);

// Calls produce(write), where write(text) appends, for a file or, where the name is empty or
// stdout, for standard output. A file is there as a whole or not at all.
void write_lines(const std::string& target, const FileContent& produce);

// "'a', 'b' and 3 more"
std::string abbreviated_list(const std::vector<std::string>& names);

}  // namespace alsbench
