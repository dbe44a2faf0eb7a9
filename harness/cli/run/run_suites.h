// SPDX-License-Identifier: Apache-2.0
// Runs suites as `alsbench run` and `alsbench profile` do: plan, journal, sweep, results.
#pragma once

#include "harness/cli/run/run_options.h"

namespace alsbench {

// Returns an ExitCode. Throws UsageError before any work.
int run_suites(RunOptions options);

}  // namespace alsbench
