// SPDX-License-Identifier: Apache-2.0
// The command line: one file a command in this folder, each adding itself to the CLI11 app.
#pragma once

namespace alsbench {

// Parses and runs; returns an exit code of harness/process/exit_code.h. Catches everything.
int run_cli(int argc, char** argv);

}  // namespace alsbench
