// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_files.h"

#include "harness/tune/database/tuning_database.h"

namespace alsbench {

Targets targets_of(const Suite& suite, const RunOptions& options) {
  const bool to_file = !options.json.empty() && options.json != kStdout;
  const std::filesystem::path json =
      to_file ? std::filesystem::path(options.json) : options.folder / (suite.name + ".json");
  Targets targets{
      {json, benchmark_json_beside(json), options.json == kStdout, options.csv, options.md},
      json.string() + ".journal"};
  if (options.names_journal()) targets.journal = options.resume;
  return targets;
}

void add_files(FilePlan& plan, const std::string& source, const Suite& suite,
               const RunOptions& options) {
  plan.reads(suite_file(source), "SUITE");
  for (const ProblemSpec& problem : suite.problems)
    reads_data(plan, problem.data, "suite " + suite.name);
  reads_database(plan, options.database);
  const Targets targets = targets_of(suite, options);
  if (options.json.empty())
    plan.writes(targets.results.json, "the result of " + suite.name);
  else
    plan.writes_or_prints(options.json, "--json");
  plan.writes_or_prints(options.csv, "--csv");
  plan.writes_or_prints(options.md, "--md");
  plan.writes(targets.results.benchmark_json, "the Google Benchmark file of " + suite.name);
  plan.writes(targets.journal,
              options.names_journal() ? "--resume" : "the journal of " + suite.name);
}

}  // namespace alsbench
