// SPDX-License-Identifier: Apache-2.0
// `alsbench data info|generate|convert|split`: looks at, makes, rewrites and splits rating sets.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/data/whole_reading.h"
#include "harness/cli/output.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/progress/reading_line.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/share_option.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/data/data_warnings.h"
#include "harness/data/dataset.h"
#include "harness/data/set_file.h"
#include "harness/data/split.h"
#include "harness/data/summary.h"
#include "harness/data/write_ratings.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

struct DataOptions {
  DataRequest data;             // without a share for test: the whole set, or its own split
  Holdout split{.share = 0.1};  // of `data split`
  std::string out;
  std::string test_out;
  std::string to;
  std::string device = kAutoDevice;
  OutputOptions output;
  ProgressOptions progress;  // of `data generate`
};

// Draws a generated set, where the host's threads do not.
std::unique_ptr<Device> drawing_device(const DataOptions& options) {
  const bool asked_for = options.device != kAutoDevice;
  if (options.data.dataset.empty() || !(asked_for || worth_drawing_on_gpu(options.data)))
    return nullptr;
  return open_device(one_device(options.device));
}

RatingSet requested_set(const DataOptions& options) {
  const std::unique_ptr<Device> device = drawing_device(options);
  const bool quiet = options.progress.quiet || options.output.quiet;
  const ReadingLine line({.quiet = quiet}, options.data.path.string());
  return cached_rating_set(options.data, {device.get(), options.device != kAutoDevice});
}

// The format to write: --to, else by the name's ending.
Format format_to_write(const DataOptions& options, const fs::path& path) {
  refuse_arrow_output(path, "-o", options.to);
  if (!options.to.empty()) return format_named(options.to);
  const std::string ending = ending_of(path);
  if (ending == ".csv") return Format::csv;
  if (ending == ".tsv" || ending == ".data") return Format::tsv;
  if (ending == ".dat") return Format::dat;
  if (ending == ".mtx" || ending == ".mm") return Format::matrix_market;
  if (ending == ".npz") return Format::npz;
  if (ending == ".libmf" || ending == ".txt") return Format::libmf;
  if (ending == ".alsset") return Format::alsset;
  throw UsageError(fmt::format("{}: the name does not say which format to write; give --to {}",
                               path.string(), kWrittenFormats));
}

// "ratings.csv" -> "ratings.test.csv"
fs::path test_name(const fs::path& path) {
  fs::path result = path;
  return result.replace_extension(".test" + path.extension().string());
}

bool holds_both_parts(Format format) { return format == Format::cumf || format == Format::alsset; }

// `parted`: whether there are test ratings, which some formats write into a file of their own.
FilePlan file_plan(const DataOptions& options, bool parted) {
  FilePlan plan;
  reads_data(plan, options.data);
  writes_output(plan, options.output);
  if (options.out.empty()) return plan;
  for (const auto& [name, flag] :
       {std::pair(&options.out, "-o"), std::pair(&options.test_out, "--test-out")})
    if (*name == kStdout)
      throw UsageError(
          fmt::format("{} stdout: ratings go to files; {} /dev/stdout prints them", flag, flag));
  const Format format = format_to_write(options, options.out);
  if (format == Format::cumf)
    plan.writes_folder(options.out, "-o", cumf_files());
  else
    plan.writes(options.out, "-o");
  if (!options.test_out.empty())
    plan.writes(options.test_out, "--test-out");
  else if (parted && !holds_both_parts(format))
    plan.writes(test_name(options.out), "the test ratings of -o");
  return plan;
}

// The same, with the times of ratings where what is written holds them. A set file has them anyway.
DataOptions with_times(const DataOptions& options) {
  DataOptions timed = options;
  timed.data.keep_times =
      holds_times(format_to_write(options, options.out)) || is_set_file(options.data.path);
  return timed;
}

// Returns what was written, a line a file.
std::string write_set(const DataOptions& options, const RatingSet& set) {
  const fs::path path = options.out;
  const Format format = format_to_write(options, path);
  const auto line = [&](const fs::path& name, int64_t count) {
    return fmt::format("wrote {} ({}, {} ratings)\n", name.string(), name_of(format), count);
  };
  if (holds_both_parts(format)) {
    format == Format::cumf ? write_cumf(set, path) : write_set_file(path, set);
    return line(path, set.by_user.nnz() + set.test.nnz());
  }
  const fs::path test_path =
      options.test_out.empty() ? test_name(path) : fs::path(options.test_out);
  file_plan(options, set.test.nnz() > 0).check();  // what only the ratings could tell
  write_ratings(set, set.by_user, format, path, set.times.span());
  if (set.test.nnz() == 0) return line(path, set.by_user.nnz());
  write_ratings(set, set.test, format, test_path, set.test_times.span());
  return line(path, set.by_user.nnz()) + line(test_path, set.test.nnz());
}

void print_note(const DataOptions& options, const std::string& lines) {
  if (!options.progress.quiet) print_message("{}", lines);
}

// Says where times that the ratings have are not written.
void print_lost_times(const DataOptions& options, const RatingSet& set) {
  const Format format = format_to_write(options, options.out);
  const std::string path = options.data.path.string();
  if (!holds_times(format)) {
    if (set.times.size() > 0 || has_times(options.data))
      print_note(options, fmt::format("{}: its times are left out: {} holds none; tsv, dat, csv "
                                      "and alsset do\n",
                                      path, name_of(format)));
    return;
  }
  if (set.times.size() > 0 && (set.test.nnz() == 0 || set.test_times.size() > 0)) return;
  for (const std::string& place : places_without_time(options.data))
    print_note(options,
               fmt::format("{}: neither a number nor a date stands for the time: the times "
                           "of its file are left out\n",
                           place));
}

// Whether the ids are the numbers of rows or columns, from `first` on.
bool are_numbered(const std::vector<std::string>& ids, int64_t first) {
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != std::to_string(first + static_cast<int64_t>(i))) return false;
  return true;
}

// Says where ids that the ratings have are not written.
void print_lost_ids(const DataOptions& options, const RatingSet& set) {
  const Format format = format_to_write(options, options.out);
  if (holds_ids(format)) return;
  const int64_t first = format == Format::matrix_market ? 1 : 0;
  if (are_numbered(set.users, first) && are_numbered(set.items, first)) return;
  print_note(options,
             fmt::format("{}: its ids are left out: {} has numbers from {} in their order; tsv, "
                         "dat, csv and alsset hold ids\n",
                         options.data.path.string(), name_of(format), first));
}

std::string table_of(const nlohmann::ordered_json& summary) {
  TextTable table({"", "value"});
  for (const char* key :
       {"id", "users", "items", "train_ratings", "test_ratings", "density", "mean", "minimum",
        "maximum", "rmse_floor", "empty_users", "empty_items", "content_hash"}) {
    const auto& value = summary.at(key);
    if (!value.is_null())
      table.add({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  TextTable degrees({"quantile of ratings a", "user", "item"});
  const auto& users = summary.at("user_degrees");
  for (const auto& [quantile, count] : users.items())
    degrees.add({quantile, count.dump(), summary.at("item_degrees").at(quantile).dump()});
  return table.text() + "\n" + degrees.text();
}

int info(const DataOptions& options) {
  file_plan(options, false).check();
  const RatingSet set = requested_set(options);
  if (!options.output.quiet) print_whole_reading(options.data, set);
  nlohmann::ordered_json summary = summary_of(set);
  summary["warnings"] = print_data_warnings(options.data, set);
  if (!options.output.json.empty()) write_json(options.output.json, summary);
  if (!options.output.json_on_stdout()) fmt::print("{}", table_of(summary));
  return kExitOk;
}

void check_test_out(const DataOptions& options, Format format) {
  if (holds_both_parts(format))
    throw UsageError(fmt::format("--test-out: {} holds both parts in '{}'; drop --test-out",
                                 name_of(format), options.out));
  if (format_to_write(options, options.test_out) != format)
    throw UsageError(
        fmt::format("--test-out: both files are written as {}, but the name '{}' has another "
                    "ending; use the ending of '{}', or --to {}",
                    name_of(format), options.test_out, options.out, name_of(format)));
}

// Refuses before the work, not after it.
void check_target(const DataOptions& options, bool parted) {
  const Format format = format_to_write(options, options.out);
  if (format == Format::netflix || format == Format::kddcup || format == Format::adjacency)
    throw UsageError(
        fmt::format("ratings are not written as {}; choose {}", name_of(format), kWrittenFormats));
  file_plan(options, parted).check();
  if (!options.test_out.empty()) check_test_out(options, format);
}

// Says what is doubtful and what gets lost.
int write_read_set(const DataOptions& options, const RatingSet& set) {
  if (!options.progress.quiet) print_left_out(options.data, set);
  if (const std::string unread = unread_columns_of(options.data); !unread.empty())
    print_note(options, fmt::format("{}: {}\n", options.data.path.string(), unread));
  print_comment(options.data);
  print_data_warnings(options.data, set);
  print_lost_times(options, set);
  print_lost_ids(options, set);
  print_note(options, write_set(options, set));
  return kExitOk;
}

int write(const DataOptions& options) {
  check_target(options, !options.data.test_path.empty());
  return write_read_set(options, requested_set(with_times(options)));
}

// As `write`, step by step, since a large set takes minutes.
int generate(const DataOptions& options) {
  check_target(options, false);
  ProgressReport report("data generate", options.progress.chosen());
  const size_t draw = report.add({"drawing " + options.data.dataset, "draw", 1});
  const size_t written = report.add({"writing " + options.out, "write", 1, true});
  report.start(draw);
  const RatingSet set = requested_set(options);
  report.finish_started();
  report.start(written);
  const std::string lines = write_set(options, set);
  report.finish_started();
  report.end();  // the lines stand where the live line was
  print_note(options, lines);
  return kExitOk;
}

// The set and its split. Times are read while a set is loaded, which splits it then. Another set
// may have both parts already.
RatingSet split_set_of(const DataOptions& options) {
  DataOptions timed = options;
  timed.data.split_by = options.split.by;
  timed.data.test_fraction = options.split.share;
  if (needs_times(options.split.by)) return requested_set(timed);
  RatingSet set = requested_set(options);
  if (set.test.nnz() > 0)
    throw UsageError(
        fmt::format("{}: is already split into {} training and {} test ratings; "
                    "`alsbench data convert` writes both",
                    options.data.path.string(), set.by_user.nnz(), set.test.nnz()));
  Holdout holdout = options.split;
  holdout.seed = options.data.seed;
  split_set(set, holdout);
  finish_set(set);
  return set;
}

void check_parts(const DataOptions& options, const RatingSet& set) {
  if (set.by_user.nnz() > 0 && set.test.nnz() > 0) return;
  const std::string path = options.data.path.string();
  if (!takes_share(options.split.by))
    throw UsageError(
        fmt::format("{}: no user has two ratings, so the split by {} leaves no test rating; "
                    "split by random",
                    path, name_of(options.split.by)));
  throw UsageError(
      fmt::format("--test-fraction {} of the {} ratings of {} leaves no {} rating; "
                  "give another share",
                  options.split.share, set.by_user.nnz() + set.test.nnz(), path,
                  set.test.nnz() == 0 ? "test" : "training"));
}

int split(const DataOptions& options) {
  const double share = options.split.share;
  if (!(share > 0 && share < 1))
    throw UsageError(
        fmt::format("--test-fraction {} is outside (0, 1); `alsbench data convert` "
                    "writes a set without splitting it",
                    share));
  check_target(options, true);
  const RatingSet set = split_set_of(with_times(options));
  check_parts(options, set);
  return write_read_set(options, set);
}

void add_source(CLI::App& command, DataOptions& options) {
  auto* path = command.add_option("path", options.data.path, "Rating file or folder");
  command.add_option("--data", options.data.path, "Rating file or folder")->excludes(path);
  command.add_option(
      "--format", options.data.format,
      "tsv, dat, csv, netflix, kddcup, libmf, adjacency, matrix-market, cumf, npz or "
      "alsset; default: by content");
  add_columns_option(command, options.data.columns);
  add_values_option(command, options.data.values);
  add_duplicates_option(command, options.data.duplicates);
}

void add_generator(CLI::App& command, DataOptions& options) {
  command.add_option("--dataset", options.data.dataset,
                     "Generated shape: a name (alsbench list datasets) or a specification's path");
  command.add_option(
      "--scale", options.data.scale,
      "Scale factor of the ratings; users, items and degrees scale by its square root");
  command.add_option("--seed", options.data.seed, "Seed of the generator and of the split")
      ->check(seed_number());
  command
      .add_option("--uniform-row-length", options.data.uniform_row_length,
                  "Give every user the same number of ratings, without test ratings")
      ->check(zero_or_more());
  command.add_option(
      "-d,--device", options.device,
      fmt::format("Device that draws the rows: {}; auto draws small sets on the CPU", kOneDevice));
  add_share(command, "--empty-rows", options.data.empty_rows, Ends::both,
            "Share of users without ratings");
  add_share(command, "--empty-cols", options.data.empty_cols, Ends::both,
            "Share of items without ratings");
}

void add_target(CLI::App& command, DataOptions& options) {
  command.add_option(kOutFlags, options.out, "File, or folder for cumf")
      ->required()
      ->type_name("PATH");
  command.add_option("--test-out", options.test_out,
                     "File of test ratings; default: NAME.test.ENDING");
  command.add_option("--to", options.to, fmt::format("{}; default: by the name", kWrittenFormats));
}

// A subcommand whose positional argument is the rating file.
std::shared_ptr<DataOptions> add_action(CLI::App& data, CommandResult& result, const char* name,
                                        const char* what, int (*act)(const DataOptions&)) {
  auto options = std::make_shared<DataOptions>();
  options->data.test_fraction = 0;
  CLI::App* command = data.add_subcommand(name, what);
  result.runs(*command, [options, act] { return act(*options); });
  return options;
}

}  // namespace

void add_data_command(CLI::App& app, CommandResult& result) {
  CLI::App* data = app.add_subcommand("data", "Inspect, generate, convert and split rating sets");
  data->require_subcommand(1);

  auto looked = add_action(*data, result, "info", "Print shape, degrees and values of a set", info);
  CLI::App& info_command = *data->get_subcommand("info");
  add_source(info_command, *looked);
  add_generator(info_command, *looked);
  info_command.add_option("--test", looked->data.test_path, "File of test ratings");
  for (const char* generated : {"--dataset", "--scale", "--seed", "--uniform-row-length",
                                "--empty-rows", "--empty-cols", "--device"})
    for (const char* read :
         {"path", "--data", "--format", "--columns", "--values", "--duplicates", "--test"})
      info_command.get_option(generated)->excludes(info_command.get_option(read));
  add_output_options(info_command, looked->output);

  auto made = add_action(*data, result, "generate", "Write a synthetic set", generate);
  CLI::App& generate_command = *data->get_subcommand("generate");
  auto* name =
      generate_command.add_option("name", made->data.dataset, "Specification: name or path");
  add_generator(generate_command, *made);
  generate_command.get_option("--dataset")->excludes(name);
  add_target(generate_command, *made);
  add_progress_options(generate_command, made->progress);

  auto converted = add_action(*data, result, "convert", "Write a set in another format", write);
  CLI::App& convert_command = *data->get_subcommand("convert");
  add_source(convert_command, *converted);
  convert_command.add_option("--test", converted->data.test_path, "File of test ratings");
  add_target(convert_command, *converted);
  add_quiet_option(convert_command, converted->progress.quiet);

  auto parted = add_action(*data, result, "split", "Write a training and a test file", split);
  CLI::App& split_command = *data->get_subcommand("split");
  add_source(split_command, *parted);
  add_target(split_command, *parted);
  add_quiet_option(split_command, parted->progress.quiet);
  CLI::Option* share = add_share(split_command, "--test-fraction", parted->split.share, Ends::both,
                                 "Share of test ratings (default 10%)");
  add_split_option(split_command, parted->split.by, *share);
  split_command.add_option("--seed", parted->data.seed, "Seed of the split")->check(seed_number());
}

}  // namespace alsbench
