// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/case_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/cli/ratings_options.h"
#include "harness/cli/tune/tuned.h"
#include "harness/cli/validators.h"
#include "harness/device/device_selection.h"

namespace alsbench {

void add_case_options(CLI::App& command, RunOptions& options) {
  command.add_option("--filter", options.filter, "Only measurements whose name matches this regex");
  command.add_option("-a,--axis", options.axes, "Values of a parameter: N=v, N=[a,b], N=[0:8:2]")
      ->allow_extra_args(false);
  command.add_option("-b,--benchmark", options.variants, "Only these variants: NAME or STAGE/NAME")
      ->allow_extra_args(false);
  add_source_options(command, options.data);
  command.add_option("--rank", options.rank, "Length of a factor, in place of the suite's")
      ->check(above_zero());
  command.add_option("--lambda", options.lambda, "Regularisation, in place of the suite's")
      ->check(zero_or_more());
  command.add_option("--scale", options.scale, "Scale of every generated data set")
      ->check(above_zero());
  command.add_option("--seed", options.seed, "Seed of data, factors and the order of samples")
      ->check(seed_number());
  command
      .add_option("--hang-timeout", options.hang_timeout,
                  "Seconds after which a silent worker counts as hung")
      ->check(above_zero());
  add_database_option(command, options.database);
}

void add_sampling_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--launches", options.launches,
                  "Repeat every measurement in this many fresh worker processes")
      ->check(CLI::Range(1, 1000));
  command.add_option("--min-samples", options.min_samples, "Least samples of a measurement")
      ->check(above_zero());
  command.add_option("--max-samples", options.max_samples, "Most samples of a measurement")
      ->check(above_zero());
  command
      .add_option("--max-noise", options.max_noise, "Wanted relative IQR of the median, 0.01 = 1 %")
      ->check(zero_or_more());
  command.add_option("--timeout", options.timeout, "Most seconds of sampling for a measurement")
      ->check(above_zero());
}

void add_suites_options(CLI::App& command, RunOptions& options) {
  command.add_option(
      "suite", options.suites,
      "Names of shipped suites, or JSON files; quick where --data or --dataset is given");
  add_case_options(command, options);
  command.add_option("-d,--device,--devices", options.device,
                     fmt::format("{}; the CPU and the first GPU when left out", kSeveralDevices));
  add_result_options(command, options.results);
  CLI::Option* resume = command
                            .add_option("--resume", options.resume,
                                        "Run what this journal lacks; without a name, the run's")
                            ->expected(0, 1)
                            ->default_str(kOwnJournal)
                            ->type_name("JOURNAL");
  command.add_flag("--fresh", options.fresh, "Start afresh, whatever an unfinished journal holds")
      ->excludes(resume);
  command
      .add_flag("--retry-failed", options.retry_failed,
                "With --resume: run cases that failed again, those that hung among them")
      ->needs(resume);
  command.add_flag("--dry-run", options.dry_run, "List what would run, and why not");
  add_progress_options(command, options.progress);
}

}  // namespace alsbench
