// SPDX-License-Identifier: Apache-2.0
// Groups of options of the commands that run suites: `run`, `profile` and `plan`.
#pragma once

#include "harness/cli/run/run_options.h"

namespace CLI {
class App;
}

namespace alsbench {

// Which cases: filters, axes, ratings, rank, data.
void add_case_options(CLI::App& command, RunOptions& options);
// How often cases are measured.
void add_sampling_options(CLI::App& command, RunOptions& options);
// Suites and those of their cases, on which devices, where results go, and how to go on from a
// journal.
void add_suites_options(CLI::App& command, RunOptions& options);

}  // namespace alsbench
