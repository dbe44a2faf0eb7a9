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
  command.add_option("--model", options.folder, "Folder that `alsbench train --out` wrote")
      ->required();
}

void add_rating_file_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--format", options.format,
                     "Format of the ratings; detected from the content when left out");
  add_columns_option(command, options.columns);
  add_duplicates_option(command, options.duplicates);
}

void reads_model(FilePlan& plan, const ModelOptions& options) {
  for (const std::string& name : model_file_names())
    plan.reads(std::filesystem::path(options.folder) / name, "--model");
}

void warn_of_doubts(const ModelIds& ids) {
  for (const std::string& doubt : ids.doubts())
    print_message("alsbench: warning: {}\n", visible(doubt));
}

RatingFile rating_file(const ModelOptions& options, const std::string& path, RatingPart part) {
  return {path, options.format, options.columns, part, options.duplicates};
}

void write_lines(const std::string& target, const std::function<void(const WriteText&)>& produce) {
  if (target.empty() || target == kStdout)
    return produce([](std::string_view text) {
      // What fails here is told when the program flushes its output.
      static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
    });
  replace_stream(target, [&](std::ofstream& stream) {
    produce([&](std::string_view text) {
      stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    });
  });
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i]);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

}  // namespace alsbench
