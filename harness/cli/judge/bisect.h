// SPDX-License-Identifier: Apache-2.0
// `alsbench ab --bisect GOOD..BAD`: the commit that made a case slower.
#pragma once

#include "harness/cli/judge/ab_options.h"

namespace alsbench {

void add_bisection_options(CLI::App& command, BisectionOptions& options);

// Prints the probes and the commit, writes the document, and returns the exit code.
int bisect(const AbOptions& options, const Suite& suite);

}  // namespace alsbench
