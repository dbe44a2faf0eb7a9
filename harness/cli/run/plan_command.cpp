// SPDX-License-Identifier: Apache-2.0
// `alsbench plan`: writes the job script by which an engine that is there already runs the shards
// of a suite.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/run/repeat_command.h"
#include "harness/cli/run/run_options.h"
#include "harness/cli/run/run_selection.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/files/command_line.h"
#include "harness/files/file_plan.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/record/json.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {
namespace {

struct JobPlan {
  std::string suite;     // its name
  std::string program;   // as a shell finds it
  std::string run;       // `PROGRAM run SUITE ...`, without --shard, as a shell reads it
  std::string device;    // "cpu", or "0": the one GPU that a task sees
  std::string folder;    // of journals and results
  std::string script;    // the file's name, for its comments
  int64_t shards = 1;    // tasks
  int64_t throttle = 1;  // the most at a time
  bool on_gpu() const { return device != "cpu"; }
};

// The script, and how engine and file are called.
struct JobEngine {
  const char* name;
  const char* ending;  // of the file: ".sbatch"
  std::string (*script)(const JobPlan& plan);
};

std::string what_runs(const JobPlan& plan) {
  return fmt::format("Suite {} in {} shards, at most {} at a time, {}.", plan.suite, plan.shards,
                     plan.throttle, plan.on_gpu() ? "one GPU each" : "each alone on a machine");
}

// Journals, whatever became of their runs.
std::string merge_command(const JobPlan& plan) {
  const std::string folder = shell_word(plan.folder);
  return fmt::format("{0} merge {1}/*.journal --json {1}/merged.json", shell_word(plan.program),
                     folder);
}

std::string slurm_script(const JobPlan& plan) {
  return fmt::format(R"(#!/bin/bash
# {what}
# Submit it with: mkdir -p {folder} && sbatch {script}
#SBATCH --job-name={name}
#SBATCH --array=0-{last}%{throttle}
#SBATCH --ntasks=1
#SBATCH {device}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={output}

# --resume starts the shard, or goes on from its journal after a requeue.
{run} --shard "$SLURM_ARRAY_TASK_ID/{shards}" \
  --json {folder}/"$SLURM_ARRAY_TASK_ID.json" --resume
code=$?

# A program that a signal ended is queued again, three times at most.
if [ "$code" -gt 128 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 3 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"

# When all tasks have ended: {merge}
)",
                     fmt::arg("what", what_runs(plan)), fmt::arg("folder", shell_word(plan.folder)),
                     fmt::arg("script", shell_word(plan.script)),
                     fmt::arg("name", shell_word("alsbench-" + plan.suite)),
                     fmt::arg("last", plan.shards - 1), fmt::arg("throttle", plan.throttle),
                     fmt::arg("device", plan.on_gpu() ? "--gres=gpu:1" : "--exclusive"),
                     fmt::arg("output", shell_word(plan.folder + "/%a.log")),
                     fmt::arg("run", plan.run), fmt::arg("shards", plan.shards),
                     fmt::arg("merge", merge_command(plan)));
}

std::string parallel_script(const JobPlan& plan) {
  return fmt::format(
      R"(#!/bin/bash
# {what}
# Run it with: bash {script}
command -v parallel >/dev/null || {{
  echo "$0: GNU parallel is missing; install it, by the package parallel of Debian and Ubuntu" >&2
  exit 3
}}
mkdir -p {folder} || exit

# The shard $1, in the slot $2 of those that run at a time; slots count from 1.
# --resume starts the shard, or goes on from its journal where GNU parallel tries it again.
shard() {{
  {environment}{run} --shard "$1/{shards}" \
    --json {folder}/"$1.json" --resume
}}
export -f shard

seq 0 {last} | parallel --jobs {throttle} --retries 4 --joblog {folder}/joblog shard '{{}}' '{{%}}'

{merge}
)",
      fmt::arg("what", what_runs(plan)), fmt::arg("folder", shell_word(plan.folder)),
      fmt::arg("script", shell_word(plan.script)),
      fmt::arg("environment", plan.on_gpu() ? "CUDA_VISIBLE_DEVICES=$(($2 - 1)) " : ""),
      fmt::arg("run", plan.run), fmt::arg("shards", plan.shards), fmt::arg("last", plan.shards - 1),
      fmt::arg("throttle", plan.throttle), fmt::arg("merge", merge_command(plan)));
}

// A text as Python writes it.
std::string python_text(const std::string& text) { return Json(text).dump(); }

std::string reframe_script(const JobPlan& plan) {
  return fmt::format(
      R"(# {what}
# Run it with: reframe -c {script} -r --max-retries=3
# ReFrame takes how many run at a time from max_jobs of the partition: set it to {throttle}.
import os
import shlex

import reframe as rfm
import reframe.utility.sanity as sn

FOLDER = os.path.abspath({folder})
os.makedirs(FOLDER, exist_ok=True)


@rfm.simple_test
class Shard(rfm.RunOnlyRegressionTest):
    """One shard of the suite. --resume starts it, or goes on from its journal in a retry."""

    shard = parameter(range({shards}))
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    {device}

    @run_before("run")
    def set_command(self):
        result = shlex.quote(os.path.join(FOLDER, f"{{self.shard}}.json"))
        self.prerun_cmds = ["cd " + shlex.quote(os.getcwd())]
        self.executable = {run}
        self.executable_opts = ["--shard", f"{{self.shard}}/{shards}", "--json", result, "--resume"]

    @sanity_function
    def ended_well(self):
        return sn.assert_eq(self.job.exitcode, 0)


# When all tests have ended: {merge}
)",
      fmt::arg("what", what_runs(plan)), fmt::arg("script", shell_word(plan.script)),
      fmt::arg("throttle", plan.throttle), fmt::arg("folder", python_text(plan.folder)),
      fmt::arg("shards", plan.shards),
      fmt::arg("device", plan.on_gpu() ? "num_gpus_per_node = 1" : "exclusive_access = True"),
      fmt::arg("run", python_text(plan.run)), fmt::arg("merge", merge_command(plan)));
}

const std::vector<JobEngine>& job_engines() {
  static const std::vector<JobEngine> engines{{"slurm", ".sbatch", slurm_script},
                                              {"parallel", ".sh", parallel_script},
                                              {"reframe", ".py", reframe_script}};
  return engines;
}

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
  command->add_flag("--energy", options->run.energy,
                    "Measure the energy of an iteration of every training");
  result.runs(*command, [options] { return write_plan(*options); });
}

}  // namespace alsbench
