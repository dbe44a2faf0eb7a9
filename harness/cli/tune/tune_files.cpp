// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tune_files.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/message.h"
#include "harness/cli/output.h"
#include "harness/cli/standard_streams.h"
#include "harness/cli/unfinished_run.h"
#include "harness/files/command_line.h"
#include "harness/tune/database/database_file.h"

namespace alsbench {

TuneTargets tune_targets(const TuneOutputOptions& options, const std::string& name) {
  TuneTargets targets;
  targets.json_on_stdout = options.json == kStdout;
  targets.json = options.json;
  if (options.json.empty() || targets.json_on_stdout)
    targets.json = options.folder / (name + ".json");
  targets.journal = targets.json.string() + ".journal";
  return targets;
}

TuneTargets tune_targets(const LiveTuneOptions& options, const std::string& name) {
  TuneTargets targets = tune_targets(options.output, name);
  if (!options.journal.empty()) targets.journal = options.journal;
  return targets;
}

void writes_document(FilePlan& plan, const TuneOutputOptions& options, const TuneTargets& targets) {
  if (targets.json_on_stdout)
    plan.writes_or_prints(kStdout, "--json");
  else
    plan.writes(targets.json, options.json.empty() ? "the result" : "--json");
}

void check_files(FilePlan plan, const LiveTuneOptions& options, const TuneTargets& targets) {
  reads_data(plan, options.problem.data);
  writes_document(plan, options.output, targets);
  reads_database(plan, options.database);
  plan.writes(options.database, kDatabaseRole);
  plan.writes(targets.journal, options.journal.empty() ? "the journal" : "--journal");
  plan.check();
  if (!options.resume && !options.fresh && !options.output.dry_run)
    protect_unfinished_journal(targets.journal);
}

void write_document(const Json& document, const std::string& tables, const TuneTargets& targets) {
  write_json(targets.json_on_stdout ? "stdout" : targets.json.string(), document);
  if (!targets.json_on_stdout) fmt::print("{}", tables);
  flush_output();
}

std::filesystem::path database_path(const LiveTuneOptions& options, const DeviceTraits& device) {
  const std::filesystem::path path = options.database.empty()
                                         ? user_database_path(device)
                                         : std::filesystem::path(options.database);
  check_database(path);
  return path;
}

TuningDatabase known_database(const std::filesystem::path& file) {
  return TuningDatabase::load(std::filesystem::exists(file) ? file : std::filesystem::path());
}

void print_journal_problems(const std::filesystem::path& path,
                            const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    print_message("alsbench: {}: {}; skipped, measured again\n", path.string(), problem);
}

void print_resume_hint(const TuneTargets& targets) {
  print_message("\nstopped; what was measured is in {}. To resume:\n  {}\n",
                targets.journal.string(), resume_command(process_command_line()));
}

}  // namespace alsbench
