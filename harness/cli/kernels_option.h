// SPDX-License-Identifier: Apache-2.0
// --kernels FOLDER, of every command that names stages, variants or suites.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"

namespace alsbench {

// Loads each folder as it is read, before the command acts. What is wrong with one is thrown then.
CLI::Option* add_kernels_option(CLI::App& command);

// The command of a worker that knows what this process was given.
std::vector<std::string> worker_command();

}  // namespace alsbench
