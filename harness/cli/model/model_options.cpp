// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/model/model_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/message.h"
#include "harness/cli/ratings_options.h"
#include "harness/data/text_reader.h"
#include "harness/files/atomic_file.h"
#include "harness/record/escape.h"

namespace alsbench {

void add_model_option(CLI::App& command, ModelOptions& options) {
  command.add_option("--model", options.folder, "Model folder that `alsbench train --out` wrote")
      ->required();
}

void add_rating_file_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--format", options.format,
                     "Format of the ratings (default: detected from the content)");
  add_columns_option(command, options.columns);
  add_duplicates_option(command, options.duplicates);
}

void reads_model(FilePlan& plan, const ModelOptions& options) {
  for (const std::string& name : model_file_names())
    plan.reads(std::filesystem::path(options.folder) / name, "--model");
}

void print_data_warnings(const ModelIds& ids) {
  for (const std::string& doubt : ids.warnings())
    print_message("alsbench: warning: {}\n", visible(doubt));
}

RatingFile rating_file(const ModelOptions& options, const std::string& path, RatingPart part) {
  return {path, options.format, options.columns, part, options.duplicates};
}

void write_lines(const std::string& target, const std::function<void(const WriteText&)>& produce) {
  if (target.empty() || target == kStdout)
    return produce([](std::string_view text) {
      // A failure here is reported when the program flushes its output.
      static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
    });
  replace_stream(target, [&](std::ofstream& stream) {
    produce([&](std::string_view text) {
      stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    });
  });
}

std::string abbreviated_list(const std::vector<std::string>& names) {
  constexpr size_t kMaxValue = 5;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMaxValue); ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i]);
  if (names.size() > kMaxValue) text += fmt::format(" and {} more", names.size() - kMaxValue);
  return text;
}

}  // namespace alsbench
