// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/model/model_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/listing.h"
#include "base/message.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/data/text_reader.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_content.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr const char* kNpy = "npy";
constexpr const char* kCsv = "csv";

// Calls produce(write). What it throws, where no write failed, is in `failed` as well.
void produce_into(const WriteText& write, const FileContent& produce, std::exception_ptr& failed) {
  bool is_lost = false;
  try {
    produce([&](std::string_view text) {
      is_lost = true;
      write(text);
      is_lost = false;
    });
  } catch (...) {
    if (!is_lost) failed = std::current_exception();
    throw;
  }
}

}  // namespace

void add_model_option(CLI::App& command, ModelOptions& options) {
  command.add_option("--model", options.folder, "Model folder that `alsbench train --out` wrote")
      ->required();
}

void add_rating_file_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--format", options.format,
                     "Format of the ratings (default: detected from the content)");
  add_columns_option(command, options.columns);
  add_values_option(command, options.values);
  add_duplicates_option(command, options.duplicates);
}

void reads_model(FilePlan& plan, const ModelOptions& options) {
  for (const std::string& name : model_file_names())
    plan.reads(std::filesystem::path(options.folder) / name, "--model");
}

void print_data_warnings(const ModelOptions& options, const ModelIds& ids) {
  if (!options.quiet)
    for (const std::string& note : ids.notes()) print_message("{}\n", visible(note));
  for (const std::string& doubt : ids.warnings())
    print_message("alsbench: warning: {}\n", visible(doubt));
}

RatingFile rating_file(const ModelOptions& options, const std::string& path, RatingPart part) {
  return {path, options.format, ColumnChoice(options.columns, options.values), part,
          options.duplicates};
}

bool lacks_ratings(const ModelOptions& options, const Model& model, const std::string& path) {
  constexpr double kOfPair = 1;
  if (model.is_implicit() || model.prediction.cold == kOfPair) return false;
  if (options.duplicates == Duplicates::sum) return false;
  return !has_values(path, format_of(path, options.format),
                     ColumnChoice(options.columns, options.values));
}

void require_ratings(const ModelOptions& options, const Model& model, const std::string& path,
                     const std::string& what) {
  if (lacks_ratings(options, model, path))
    throw UsageError(fmt::format(
        "{}: has pairs of user and item without ratings, which {} needs: the model predicts "
        "ratings; give a file that has them",
        path, what));
}

bool TableOptions::is_npy() const {
  return format.empty() ? ending_of(out) == ".npy" : format == kNpy;
}

bool TableOptions::is_csv() const {
  return format.empty() ? ending_of(out) == ".csv" : format == kCsv;
}

std::string_view TableOptions::content() const {
  if (!format.empty()) return {};
  return is_npy() ? content::kNpy : is_csv() ? content::kCsv : content::kTsv;
}

std::string TableLines::header(std::initializer_list<std::string_view> names) const {
  return fmt::format("{}\n", fmt::join(names, csv_ ? "," : "\t"));
}

void TableLines::refuse(const std::string& id) const {
  throw UsageError(
      fmt::format("{}: tsv cannot hold the id {}; write csv, as with --to csv", file_, shown(id)));
}

void add_table_options(CLI::App& command, TableOptions& options, const std::string& lines,
                       const std::string& array) {
  command.add_option(kOutFlags, options.out, fmt::format("Output file, {}; or stdout", lines))
      ->default_str(kStdout)
      ->type_name("F");
  const std::string formats = array.empty() ? "tsv or csv" : "tsv, csv or npy, " + array;
  std::vector<std::string> names{"tsv", kCsv};
  if (!array.empty()) names.emplace_back(kNpy);
  command
      .add_option("--to", options.format,
                  fmt::format("{}; default: by the name's ending, else tsv", formats))
      ->check([&options](const std::string& format) {
        refuse_arrow_output(options.out, "--to " + format, format);
        return std::string();
      })
      ->check(CLI::IsMember(names));
}

void write_lines(const std::string& target, const FileContent& produce) {
  if (target.empty() || target == kStdout)
    return produce([](std::string_view text) {
      // A failure here is reported when the program flushes its output.
      static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
    });
  std::exception_ptr failed;  // in producing, not in writing
  try {
    replace_content(target, [&](const WriteText& write) { produce_into(write, produce, failed); });
  } catch (const EnvironmentError&) {
    if (failed) std::rethrow_exception(failed);
    throw;
  }
}

std::string abbreviated_list(const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(shown(name));
  return listing(std::move(texts), kShown);
}

}  // namespace alsbench
