// SPDX-License-Identifier: Apache-2.0
// `alsbench plan`: writes the job script that runs the shards of a suite.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/run/job_scripts.h"
#include "harness/cli/run/repeat_command.h"
#include "harness/cli/run/run_options.h"
#include "harness/cli/run/run_selection.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/suite/shard_cases.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {
namespace {

struct PlanOptions {
  RunOptions run;
  std::string engine, folder, out = kStdout;
  int64_t shards = 0, throttle = 0;
};

FilePlan file_plan(const PlanOptions& options) {
  FilePlan plan;
  plan.reads(suite_file(options.run.suites.front()), "SUITE");
  reads_database(plan, options.run.database);
  plan.writes_or_prints(options.out, "--out");
  return plan;
}

const JobEngine& engine_of(const PlanOptions& options) {
  const auto& engines = job_engines();
  return *std::find_if(engines.begin(), engines.end(),
                       [&](const JobEngine& engine) { return engine.name == options.engine; });
}

// Throws UsageError where the suite cannot be divided like this.
void check_shards(const PlanOptions& options, const Suite& suite) {
  const Selection selection = selection_of(options.run, 1);
  const ShardCases shard_cases = cases_of_shard(expand(suite, selection), 0, 1);
  if (shard_cases.all_cases == 0)
    throw UsageError(fmt::format(
        "suite {}: has no case for --device {} that --filter, --benchmark and --axis leave",
        suite.name, options.run.device));
  if (options.shards > shard_cases.all_groups)
    throw UsageError(fmt::format(
        "--shards {}: suite {} has {} cases here, which are measured in {} groups that stay "
        "together; use at most {} shards",
        options.shards, suite.name, shard_cases.all_cases, shard_cases.all_groups,
        shard_cases.all_groups));
}

int write_plan(PlanOptions options) {
  file_plan(options).check();
  const std::string& source = options.run.suites.front();
  const Suite suite = suite_on_ratings(source, options.run);
  check_shards(options, suite);
  const JobEngine& engine = engine_of(options);
  JobPlan plan;
  plan.suite = suite.name;
  plan.program = program_name();
  plan.run = run_command(plan.program, source, options.run);
  plan.device = options.run.device;
  plan.folder = options.folder.empty() ? "shards/" + suite.name : options.folder;
  plan.script = options.out == kStdout ? suite.name + engine.ending : options.out;
  plan.shards = options.shards;
  plan.throttle = options.throttle > 0 ? options.throttle : 1;
  for (const std::string& name : {plan.suite, plan.folder, plan.script, plan.run})
    if (name.find('\n') != std::string::npos)
      throw UsageError(
          fmt::format("'{}': must not contain newlines; use another name", visible(name)));
  write_text(options.out, engine.script(plan));
  return kExitOk;
}

}  // namespace

void add_plan_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<PlanOptions>();
  options->run.device = "0";
  std::vector<std::string> engines;
  for (const JobEngine& engine : job_engines()) engines.emplace_back(engine.name);
  CLI::App* command =
      app.add_subcommand("plan", "Write the job script that runs a suite in shards");
  command->add_option("suite", options->run.suites, "Name of a shipped suite, or a JSON file")
      ->required()
      ->expected(1);
  command->add_option("--emit", options->engine, "Engine that runs the shards")
      ->required()
      ->check(CLI::IsMember(engines));
  add_checked(*command, "--shards", options->shards, CLI::Range(1, 1000000),
              "Number of tasks that the suite is divided into")
      ->required();
  add_checked(*command, "--throttle", options->throttle, CLI::Range(1, 1000000),
              "Maximum number of concurrent tasks (default 1)");
  command
      ->add_option("-d,--device", options->run.device, "Device of each task: cpu, or 0 for one GPU")
      ->check(CLI::IsMember({"cpu", "0"}))
      ->capture_default_str();
  command
      ->add_option("--folder", options->folder,
                   "Folder of journals and results (default: shards/SUITE)")
      ->type_name("DIR");
  command->add_option(kOutFlags, options->out, "Output file of the script, or stdout")
      ->capture_default_str()
      ->type_name("F");
  add_case_options(*command, options->run);
  add_sampling_options(*command, options->run);
  command->add_flag("--counters", options->run.counters,
                    "Read hardware counters (bytes, hits, utilisation, stalls) of every case");
  result.runs(*command, [options] { return write_plan(*options); });
}

}  // namespace alsbench
