// SPDX-License-Identifier: Apache-2.0
// The flags of `alsbench run` that say what is measured, and how; `plan` takes the same.
#pragma once

#include "harness/cli/run/run_options.h"

namespace CLI {
class App;
}

namespace alsbench {

void add_case_options(CLI::App& command, RunOptions& options);

}  // namespace alsbench
