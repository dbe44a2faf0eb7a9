// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/ratings_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

#include "base/error.h"
#include "base/message.h"
#include "base/split.h"
#include "base/suggestion.h"
#include "harness/cli/share_option.h"
#include "harness/cli/validators.h"
#include "harness/data/column_choice.h"
#include "harness/data/data_warnings.h"
#include "harness/data/dataset.h"
#include "harness/files/input_file.h"
#include "harness/files/piped_table.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/axis.h"

namespace alsbench {

CLI::Option* add_duplicates_option(CLI::App& command, Duplicates& duplicates) {
  return command
      .add_option_function<std::string>(
          "--duplicates",
          [&duplicates](const std::string& name) { duplicates = duplicates_named(name); },
          "Rule for duplicate ratings: error, last, mean or sum")
      ->default_str(std::string(name_of(duplicates)));
}

namespace {

// An option whose text T can be made of; else T throws.
template <class T>
CLI::Option* add_text_of(CLI::App& command, const char* name, std::string& value,
                         const char* help) {
  return command.add_option_function<std::string>(
      name,
      [&value](const std::string& text) {
        static_cast<void>(T(text));
        value = text;
      },
      help);
}

}  // namespace

CLI::Option* add_columns_option(CLI::App& command, std::string& columns) {
  return add_text_of<ColumnChoice>(command, "--columns", columns,
                                   "Columns of text files, by name or number from 1: "
                                   "user=..,item=..,rating=..,time=.. (others are detected)")
      ->type_name("ROLE=COLUMN,...");
}

CLI::Option* add_values_option(CLI::App& command, std::string& values) {
  return add_text_of<NameValues>(
             command, "--values", values,
             "Ratings that names stand for: view=1,addtocart=5; none leaves lines out")
      ->type_name("NAME=VALUE,...");
}

CLI::Option* add_split_option(CLI::App& command, SplitBy& by, const CLI::Option& fraction) {
  return command
      .add_option_function<std::string>(
          "--by",
          [&by, &fraction](const std::string& name) {
            by = split_by_named(name);
            if (!takes_share(by) && fraction.count() > 0)
              throw UsageError(
                  fmt::format("--test-fraction: the split by {} takes one rating of each user, not "
                              "a share; drop --test-fraction",
                              name));
          },
          "Hold-out rule: random, time, user-time, leave-last-out or leave-one-out")
      ->default_str(std::string(name_of(by)));
}

CLI::Option* add_source_options(CLI::App& command, DataRequest& data) {
  CLI::Option* file = command.add_option("--data", data.path, "File or folder of ratings");
  CLI::Option* dataset = command
                             .add_option("--dataset", data.dataset,
                                         "Name of a generated data set (alsbench list datasets)")
                             ->excludes(file);
  command
      .add_option("--format", data.format,
                  "Format of the data (default: detected from the content)")
      ->needs(file);
  add_columns_option(command, data.columns)->needs(file);
  add_values_option(command, data.values)->needs(file);
  CLI::Option* test =
      command.add_option("--test", data.test_path, "File of test ratings")->needs(file);
  CLI::Option* fraction = add_share(command, "--test-fraction", data.test_fraction, Ends::lower,
                                    "Share of held-out ratings: 10% or 0.1 (default 10%)")
                              ->needs(file)
                              ->excludes(test);
  add_split_option(command, data.split_by, *fraction)->needs(file)->excludes(test);
  add_duplicates_option(command, data.duplicates)->needs(file);
  return dataset;
}

namespace {

// 2^53: beyond, the doubles of expressions are no whole numbers.
bool is_above_largest_size(const std::string& digits) {
  int64_t size = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  return end.ec != std::errc() || size > int64_t{1} << 53;
}

}  // namespace

Config sizes_in(const std::string& text, const std::string& option) {
  Config sizes;
  for (const std::string& item : split_texts(text, ",")) {
    const size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const std::string size = equals == std::string::npos ? "" : item.substr(equals + 1);
    const bool whole = size.find_first_not_of("0123456789") == std::string::npos;
    if (name.empty() || size.empty() || !whole || size.front() == '0')
      throw UsageError(fmt::format("{}: '{}' is no size; write M=512,N=512", option, item));
    if (is_above_largest_size(size))
      throw UsageError(fmt::format("{}: '{}' is above 2^53, the largest size; give a smaller one",
                                   option, item));
    if (sizes.has(name))
      throw UsageError(
          fmt::format("{}: '{}' gives {} a second size; leave one out", option, item, name));
    sizes.set(name, size);
  }
  return sizes;
}

Config with_sizes(Config usual, const Config& given, const std::string& option) {
  std::vector<std::string> names;
  for (const auto& [name, size] : usual.entries()) names.push_back(name);
  for (const auto& [name, size] : given.entries()) {
    if (names.empty())
      throw UsageError(fmt::format("{} {}: ratings have no sizes; a custom kernel's problem has",
                                   option, given.text()));
    if (!usual.has(name)) throw UsageError(option + ": " + unknown_name("size", name, names));
    usual.set(name, size);
  }
  return usual;
}

void refuse_ratings(const DataRequest& data, const std::string& kernel) {
  if (data.path.empty() && data.dataset.empty()) return;
  throw UsageError(
      fmt::format("--{}: the custom kernel '{}' reads no ratings; give its sizes by --size",
                  data.path.empty() ? "dataset" : "data", kernel));
}

CLI::Option* add_size_option(CLI::App& command, DataRequest& data) {
  return command
      .add_option_function<std::string>(
          "--size", [&data](const std::string& text) { data.sizes = sizes_in(text, "--size"); },
          "Sizes of a custom kernel's problem, such as M=512,N=512")
      ->type_name("NAME=N,...");
}

void add_ratings_options(CLI::App& command, DataRequest& data) {
  CLI::Option* dataset = add_source_options(command, data);
  add_checked(command, "--scale", data.scale, above_zero(),
              "Scale of the generated set; users, items and degrees scale by its root")
      ->needs(dataset);
}

std::vector<std::string> ratings_arguments(const DataRequest& data) {
  const DataRequest usual;
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value, const std::string& fallback) {
    if (value != fallback) words.insert(words.end(), {option, value});
  };
  add("--size", data.sizes.text(), "");
  add("--data", data.path.string(), "");
  add("--dataset", data.dataset, "");
  add("--scale", fmt::format("{}", data.scale), "1");
  add("--format", data.format, "");
  add("--columns", data.columns, "");
  add("--values", data.values, "");
  add("--test", data.test_path.string(), "");
  add("--test-fraction", fmt::format("{}", data.test_fraction),
      fmt::format("{}", usual.test_fraction));
  add("--by", std::string(name_of(data.split_by)), std::string(name_of(usual.split_by)));
  add("--duplicates", std::string(name_of(data.duplicates)),
      std::string(name_of(usual.duplicates)));
  return words;
}

void print_reading(const DataRequest& data, const RatingSet& set) {
  if (const std::string reading = reading_of(data); !reading.empty())
    print_message("{}: read as {}\n", visible(data.path.string()), reading);
  print_left_out(data, set);
}

std::string left_out_of(const DataRequest& data, const RatingSet& set) {
  // A set file may know of lines that were left out when it was written.
  return data.values.empty() ? "" : left_out_note(set.left_out, data.choice().values());
}

void print_left_out(const DataRequest& data, const RatingSet& set) {
  if (const std::string note = left_out_of(data, set); !note.empty())
    print_message("{}: {}\n", visible(data.path.string()), note);
}

void print_comment(const DataRequest& data) {
  if (const std::string comment = comment_of(data); !comment.empty())
    print_message("alsbench: warning: {}: {}\n", visible(data.path.string()), comment);
}

std::vector<std::string> print_data_warnings(const DataRequest& data, const RatingSet& set) {
  if (data.path.empty()) return {};
  std::vector<std::string> warnings = data_warnings(set, data);
  if (std::string merged = merged_id_of(data); !merged.empty())
    warnings.push_back(std::move(merged));
  for (const std::string& doubt : warnings)
    print_message("alsbench: warning: {}: {}\n", visible(data.path.string()), doubt);
  return warnings;
}

void check_for_workers(const DataRequest& data) {
  for (const std::filesystem::path& path : {data.path, data.test_path})
    if (is_input_stream(path))
      throw UsageError(fmt::format(
          "{}: {}, and this command reads its ratings in several processes; write them into a "
          "file{}",
          path.string(), piped_table(path) != nullptr ? "is read through a pipe" : "is no file",
          piped_table(path) != nullptr
              ? fmt::format(": alsbench data convert {} -o ratings.alsset", path.string())
              : ""));
  for (const std::string& name : {data.path.string(), data.test_path.string(), data.dataset}) {
    try {
      static_cast<void>(Json(name).dump());
    } catch (const Json::type_error&) {
      throw UsageError(fmt::format(
          "'{}': the name is not valid UTF-8, which JSON requires; rename the file", name));
    }
  }
}

void check_one_source(const DataRequest& data) {
  if (data.has_sizes() && data.path.empty() && data.dataset.empty()) return;
  if (data.path.empty() == data.dataset.empty())
    throw UsageError("give either --data PATH or --dataset NAME");
}

}  // namespace alsbench
