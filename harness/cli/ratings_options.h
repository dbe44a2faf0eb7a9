// SPDX-License-Identifier: Apache-2.0
// The options that say which ratings a command works on, the same for `train`, `tune` and `best`.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/data/csr.h"
#include "harness/data/data_request.h"

namespace alsbench {

// "M=512,N=512", which an option gives that messages name.
Config sizes_in(const std::string& text, const std::string& option);
// The sizes of `usual` but for those in `given`.
Config with_sizes(Config usual, const Config& given, const std::string& option = "--size");
// Throws UsageError where ratings are named for a custom kernel.
void refuse_ratings(const DataRequest& data, const std::string& kernel);
// Sizes in place of ratings.
CLI::Option* add_size_option(CLI::App& command, DataRequest& data);

// Adds --data or --dataset, --scale, --format, --columns, --values, --test, --test-fraction,
// --by and --duplicates.
void add_ratings_options(CLI::App& command, DataRequest& data);

// The same without --scale. Returns --dataset.
CLI::Option* add_source_options(CLI::App& command, DataRequest& data);

// Adds --duplicates alone.
CLI::Option* add_duplicates_option(CLI::App& command, Duplicates& duplicates);

// Adds --columns alone, which column of a text file is what.
CLI::Option* add_columns_option(CLI::App& command, std::string& columns);

// Adds --values alone, the rating that each name in the column of ratings stands for.
CLI::Option* add_values_option(CLI::App& command, std::string& values);

// Adds --by, how ratings are split. Ways without a share refuse the option `fraction`.
CLI::Option* add_split_option(CLI::App& command, SplitBy& by, const CLI::Option& fraction);

// The arguments that name these ratings: what the options above read back.
std::vector<std::string> ratings_arguments(const DataRequest& data);

// Says on stderr how the file is read, where its format leaves a choice.
void print_reading(const DataRequest& data, const RatingSet& set);
// "3 lines of 'view' are left out, as --values says"; empty where none is.
std::string left_out_of(const DataRequest& data, const RatingSet& set);
// Says so.
void print_left_out(const DataRequest& data, const RatingSet& set);
// The same of a comment alone that may be meant for a line, which is then missing.
void print_comment(const DataRequest& data);

// Warns on stderr of what makes one doubt that a file was meant as it was read.
std::vector<std::string> print_data_warnings(const DataRequest& data, const RatingSet& set);

// Throws UsageError for what other processes cannot read: pipes, and names that are no UTF-8.
// Suites and what workers are told are JSON, which cannot hold them.
void check_for_workers(const DataRequest& data);

// Throws UsageError unless one source of ratings is named.
void check_one_source(const DataRequest& data);

}  // namespace alsbench
