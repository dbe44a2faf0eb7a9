// `alsbench data info|generate|convert|split`: looks at, makes, rewrites and splits rating sets.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/als/device_generator.h"
#include "harness/cli/commands.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/output.h"
#include "harness/cli/validators.h"
#include "harness/data/dataset.h"
#include "harness/data/set_file.h"
#include "harness/data/summary.h"
#include "harness/data/write_ratings.h"
#include "variants/error.h"

namespace alsbench {
namespace {

struct Options {
  DataRequest data;
  std::string duplicates = "error";
  std::string out;
  std::string test_out;
  std::string to;
  std::string device = "auto";
  OutputOptions output;
};

RatingSet requested_set(const Options& options) {
  DataRequest request = options.data;
  request.duplicates = duplicates_named(options.duplicates);
  return cached_rating_set(request, row_drawer(options.device));
}

// The format to write: --to, else by the name's ending.
Format format_to_write(const Options& options, const std::filesystem::path& path) {
  if (!options.to.empty()) return format_named(options.to);
  const std::string ending = path.extension().string();
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
std::filesystem::path test_name(const std::filesystem::path& path) {
  std::filesystem::path result = path;
  return result.replace_extension(".test" + path.extension().string());
}

void write_set(const Options& options, const RatingSet& set, std::filesystem::path test_path) {
  const std::filesystem::path path = options.out;
  const Format format = format_to_write(options, path);
  const auto note = [&](const std::filesystem::path& name, int64_t count) {
    if (!options.output.quiet)
      fmt::print(stderr, "wrote {} ({}, {} ratings)\n", name.string(), name_of(format), count);
  };
  if (format == Format::cumf || format == Format::alsset) {
    format == Format::cumf ? write_cumf(set, path) : write_set_file(path, set);
    return note(path, set.by_user.nnz() + set.test.nnz());
  }
  write_ratings(set, set.by_user, format, path);
  note(path, set.by_user.nnz());
  if (set.test.nnz() == 0) return;
  if (test_path.empty()) test_path = test_name(path);
  write_ratings(set, set.test, format, test_path);
  note(test_path, set.test.nnz());
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

int info(const Options& options) {
  const nlohmann::ordered_json summary = summary_of(requested_set(options));
  if (!options.output.json.empty()) write_json(options.output.json, summary);
  if (!options.output.json_on_stdout()) fmt::print("{}", table_of(summary));
  return kExitOk;
}

void check_test_out(const Options& options, Format format) {
  if (format == Format::cumf || format == Format::alsset)
    throw UsageError(fmt::format("--test-out: {} holds both parts in '{}'; leave --test-out out",
                                 name_of(format), options.out));
  const auto whole = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  if (whole(options.test_out) == whole(options.out))
    throw UsageError(
        fmt::format("--test-out: '{}' is what -o names, too; give another file", options.test_out));
}

int write(const Options& options) {
  // Refused before the work, not after it.
  const Format format = format_to_write(options, options.out);
  if (format == Format::netflix || format == Format::kddcup)
    throw UsageError(
        fmt::format("ratings are not written as {}; choose {}", name_of(format), kWrittenFormats));
  if (!options.test_out.empty()) check_test_out(options, format);
  write_set(options, requested_set(options), options.test_out);
  return kExitOk;
}

void add_source(CLI::App& command, Options& options) {
  command.add_option("--data", options.data.path, "Rating file or folder");
  command.add_option("--format", options.data.format,
                     "tsv, dat, csv, netflix, kddcup, libmf, matrix-market, cumf, npz or alsset; "
                     "default: by content");
  command.add_option("--duplicates", options.duplicates,
                     "Cells held twice: error, last, mean or sum");
}

void add_generator(CLI::App& command, Options& options) {
  command.add_option("--dataset", options.data.dataset,
                     "Generated shape: a name (alsbench list datasets) or a specification's path");
  command.add_option("--scale", options.data.scale,
                     "Times the ratings; users, items and degrees by its square root");
  command.add_option("--seed", options.data.seed, "Of the generator and the split");
  command
      .add_option("--uniform-row-length", options.data.uniform_row_length,
                  "As many ratings for every user, none for test")
      ->check(zero_or_more());
  command.add_option("-d,--device", options.device,
                     "Draws the rows: cpu, a CUDA ordinal, or auto (a GPU for large sets)");
  command.add_option("--empty-rows", options.data.empty_rows, "Share of users without ratings");
  command.add_option("--empty-cols", options.data.empty_cols, "Share of items without ratings");
}

void add_target(CLI::App& command, Options& options) {
  command.add_option("-o,--out", options.out, "File, or folder for cumf")->required();
  command.add_option("--to", options.to, fmt::format("{}; default: by the name", kWrittenFormats));
  command.add_flag("-q,--quiet", options.output.quiet, "No notes on stderr");
}

// A subcommand whose positional argument is the rating file.
std::shared_ptr<Options> add_action(CLI::App& data, CommandResult& result, const char* name,
                                    const char* what, int (*act)(const Options&)) {
  auto options = std::make_shared<Options>();
  options->data.test_fraction = 0;
  CLI::App* command = data.add_subcommand(name, what);
  command->callback(
      [&result, options, act] { result.action = [options, act] { return act(*options); }; });
  return options;
}

}  // namespace

void add_data_command(CLI::App& app, CommandResult& result) {
  CLI::App* data = app.add_subcommand("data", "Looks at, makes, converts and splits rating sets");
  data->require_subcommand(1);

  auto looked = add_action(*data, result, "info", "Shape, degrees and values of a set", info);
  CLI::App& info_command = *data->get_subcommand("info");
  info_command.add_option("path", looked->data.path, "Rating file or folder");
  add_source(info_command, *looked);
  add_generator(info_command, *looked);
  info_command.add_option("--test", looked->data.test_path, "File of test ratings");
  for (const char* generated : {"--dataset", "--scale", "--seed", "--uniform-row-length",
                                "--empty-rows", "--empty-cols", "--device"})
    for (const char* read : {"path", "--data", "--format", "--duplicates", "--test"})
      info_command.get_option(generated)->excludes(info_command.get_option(read));
  add_output_options(info_command, looked->output);

  auto made = add_action(*data, result, "generate", "Writes a synthetic set", write);
  CLI::App& generate_command = *data->get_subcommand("generate");
  generate_command.add_option("name", made->data.dataset, "Name or path of a specification");
  add_generator(generate_command, *made);
  add_target(generate_command, *made);
  generate_command.add_option("--test-out", made->test_out,
                              "File of test ratings; default: NAME.test.ENDING");

  auto converted = add_action(*data, result, "convert", "Writes a set in another format", write);
  CLI::App& convert_command = *data->get_subcommand("convert");
  convert_command.add_option("path", converted->data.path, "Rating file or folder");
  add_source(convert_command, *converted);
  convert_command.add_option("--test", converted->data.test_path, "File of test ratings");
  add_target(convert_command, *converted);

  auto parted = add_action(*data, result, "split", "Writes a training and a test file", write);
  parted->data.test_fraction = 0.1;
  CLI::App& split_command = *data->get_subcommand("split");
  split_command.add_option("path", parted->data.path, "Rating file or folder");
  add_source(split_command, *parted);
  add_target(split_command, *parted);
  split_command.add_option("--test-out", parted->test_out,
                           "File of test ratings; default: NAME.test.ENDING");
  split_command.add_option("--test-fraction", parted->data.test_fraction, "Share for test");
  split_command.add_option("--seed", parted->data.seed, "Of the split");
}

}  // namespace alsbench
