// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_files.h"

#include "harness/cli/ratings_options.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

Targets targets_of(const Suite& suite, const RunOptions& options) {
  Targets targets{result_files(options.results, suite.name), {}};
  targets.journal = targets.results.json.string() + ".journal";
  if (options.names_journal()) targets.journal = options.resume;
  return targets;
}

void add_files(FilePlan& plan, const std::string& source, const Suite& suite,
               const RunOptions& options) {
  plan.reads(suite_file(source), "SUITE");
  for (const ProblemSpec& problem : suite.problems) {
    check_for_workers(problem.data);
    reads_data(plan, problem.data, "suite " + suite.name);
  }
  reads_database(plan, options.database);
  const Targets targets = targets_of(suite, options);
  writes_results(plan, options.results, targets.results, " of " + suite.name);
  plan.writes(targets.journal,
              options.names_journal() ? "--resume" : "the journal of " + suite.name);
}

}  // namespace alsbench
