// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/job_scripts.h"

#include <fmt/format.h>

#include "harness/files/command_line.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

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

}  // namespace

const std::vector<JobEngine>& job_engines() {
  static const std::vector<JobEngine> engines{{"slurm", ".sbatch", slurm_script},
                                              {"parallel", ".sh", parallel_script},
                                              {"reframe", ".py", reframe_script}};
  return engines;
}

}  // namespace alsbench
