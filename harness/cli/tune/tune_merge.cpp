// SPDX-License-Identifier: Apache-2.0
// `alsbench tune --merge`: the tuning databases of many machines as one.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/tune/tune_command.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/tune/database/kernel_code_hash.h"
#include "harness/tune/database/merge_databases.h"

namespace alsbench {
namespace {

FilePlan file_plan(const TuneCommandOptions& options) {
  FilePlan plan;
  for (const std::string& file : options.merged) plan.reads(file, "--merge");
  plan.reads(options.database, kDatabaseRole);
  plan.writes(options.database, kDatabaseRole);
  return plan;
}

}  // namespace

int tune_merge(const TuneCommandOptions& options) {
  if (options.database.empty())
    throw UsageError("--merge: give the database that the others are merged into: --db PATH");
  file_plan(options).check();
  const std::vector<std::filesystem::path> files(options.merged.begin(), options.merged.end());
  const DatabaseMerge merge = merge_databases(files, options.database, code_hash_of_steps);
  if (!options.progress.quiet)
    for (const std::string& note : merge.notes) print_message("{}\n", visible(note));
  fmt::print("{}: {} entries added, {} replaced, {} as they were; {} left out\n", options.database,
             merge.added, merge.replaced, merge.unchanged, merge.left_out);
  if (merge.unknown > 0)
    print_message(
        "alsbench: {} entries are merged without knowing whether their code has changed: "
        "their kernels cannot be compiled here\n",
        merge.unknown);
  return kExitOk;
}

}  // namespace alsbench
