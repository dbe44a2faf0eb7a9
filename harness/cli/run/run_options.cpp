// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_options.h"

#include <CLI/CLI.hpp>

#include "harness/cli/kernels_option.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/tune/tuned.h"
#include "harness/cli/validators.h"

namespace alsbench {

void add_case_options(CLI::App& command, RunOptions& options) {
  add_kernels_option(command);
  command.add_option("--filter", options.filter, "Only measurements whose name matches this regex");
  command.add_option("-a,--axis", options.axes, "Parameter values: N=v, N=[a,b], N=[0:8:2]")
      ->allow_extra_args(false);
  command.add_option("-b,--benchmark", options.variants, "Only these variants: NAME or STAGE/NAME")
      ->allow_extra_args(false);
  add_source_options(command, options.data);
  add_size_option(command, options.data);
  add_checked(command, "--rank", options.rank, above_zero(), "Rank (replaces the suite's)");
  add_checked(command, "--lambda", options.lambda, zero_or_more(),
              "Regularisation (replaces the suite's)");
  add_checked(command, "--scale", options.scale, above_zero(), "Scale of every generated data set");
  add_checked(command, "--seed", options.seed, seed_number(),
              "Seed of data, factors and the order of samples");
  add_checked(command, "--hang-timeout", options.hang_timeout, above_zero(),
              "Seconds without an answer after which a worker counts as hung");
  add_database_option(command, options.database);
}

void add_sampling_options(CLI::App& command, RunOptions& options) {
  add_checked(command, "--launches", options.launches, CLI::Range(1, 1000),
              "Repeat every measurement in this many fresh worker processes");
  add_checked(command, "--min-samples", options.min_samples, above_zero(),
              "Minimum number of samples of a measurement");
  add_checked(command, "--max-samples", options.max_samples, above_zero(),
              "Maximum number of samples of a measurement");
  add_checked(command, "--max-noise", options.max_noise, zero_or_more(),
              "Target relative IQR of the median, 0.01 = 1 %");
  add_checked(command, "--timeout", options.timeout, above_zero(),
              "Maximum sampling time of a measurement, in seconds");
}

}  // namespace alsbench
