// SPDX-License-Identifier: Apache-2.0
// `alsbench merge`: joins the shards of a run into what one run would have written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/run/result_files.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/merge.h"

namespace alsbench {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  ResultNames results;
  bool partial = false, quiet = false;
};

// `suite`: what the result is called where --json names none.
ResultFiles files_of(const MergeOptions& options, const std::string& suite) {
  ResultFiles files = result_files(options.results, suite);
  if (files.json_on_stdout) files.benchmark_json.clear();  // nothing is left on the disk
  return files;
}

FilePlan file_plan(const MergeOptions& options, const ResultFiles& files) {
  FilePlan plan;
  for (const std::string& file : options.files) plan.reads(file, "FILE");
  writes_results(plan, options.results, files, "");
  return plan;
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

int merge_files(const MergeOptions& options) {
  if (!options.results.json.empty()) file_plan(options, files_of(options, "")).check();
  std::vector<RunPart> parts;
  for (const std::string& file : options.files) {
    parts.push_back(read_part(file));
    for (const std::string& problem : parts.back().problems)
      print_message("alsbench: {}: {}; skipped\n", file, problem);
  }
  const MergedRun merged = merge(parts);
  if (!merged.missing.empty() && !options.partial)
    throw UsageError(
        fmt::format("the run is not complete:{}\nadd the missing shards, or write an incomplete "
                    "result with --partial",
                    lines_of(merged.missing)));
  const ResultFiles files = files_of(options, merged.document.suite.name);
  file_plan(options, files).check();  // what only the parts could tell
  write_results(merged.document, files);
  const int code = verdict_of(merged.document.cases, files, options.quiet);
  if (merged.missing.empty()) return code;
  print_message("alsbench: the run is not complete:{}\n", lines_of(merged.missing));
  return kExitCasesFailed;
}

}  // namespace

void add_merge_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      app.add_subcommand("merge", "Merge the shards of a run into the result of one run");
  command
      ->add_option("file", options->files,
                   "Journals or results of `alsbench run --shard`, including those of killed runs")
      ->required()
      ->type_name("FILE...");
  add_result_options(*command, options->results);
  command->add_flag("--partial", options->partial,
                    "Write an incomplete result if shards are missing");
  add_quiet_option(*command, options->quiet);
  result.runs(*command, [options] { return merge_files(*options); });
}

}  // namespace alsbench
