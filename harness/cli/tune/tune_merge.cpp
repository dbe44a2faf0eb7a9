// SPDX-License-Identifier: Apache-2.0
// `alsbench tune merge`: the tuning databases of many machines as one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/tune/database/merge_databases.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {
namespace {

struct TuneMergeOptions {
  std::vector<std::string> files;
  std::string database;
  bool quiet = false;
};

FilePlan file_plan(const TuneMergeOptions& options) {
  FilePlan plan;
  for (const std::string& file : options.files) plan.reads(file, "FILE");
  plan.reads(options.database, kDatabaseRole);
  plan.writes(options.database, kDatabaseRole);
  return plan;
}

int tune_merge(const TuneMergeOptions& options) {
  file_plan(options).check();
  const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
  const DatabaseMerge merge = merge_databases(files, options.database, code_hash_of_steps);
  if (!options.quiet)
    for (const std::string& note : merge.notes) print_message("{}\n", visible(note));
  fmt::print("{}: {} entries added, {} replaced, {} unchanged; {} left out\n", options.database,
             merge.added, merge.replaced, merge.unchanged, merge.left_out);
  if (merge.unknown > 0)
    print_message(
        "alsbench: {} entries were merged unchecked, because their kernels cannot be compiled "
        "here\n",
        merge.unknown);
  return kExitOk;
}

}  // namespace

void add_tune_merge_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<TuneMergeOptions>();
  CLI::App* command =
      tune.add_subcommand("merge", "Merges the tuning databases of many machines into one");
  command->add_option("file", options->files, "Databases that --db of a tuning wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("--db", options->database, "Database that the others are merged into")
      ->required()
      ->type_name("PATH");
  add_kernels_option(*command);
  add_quiet_option(*command, options->quiet);
  result.runs(*command, [options] { return tune_merge(*options); });
}

}  // namespace alsbench
