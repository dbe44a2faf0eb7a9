// SPDX-License-Identifier: Apache-2.0
// `alsbench worker`: the process that executes cases for `alsbench run`; started by it alone, so it
// is not listed.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/kernels_option.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/worker/worker.h"

namespace alsbench {

void add_worker_command(CLI::App& app, CommandResult& result) {
  auto socket = std::make_shared<int>(-1);
  CLI::App* command = app.add_subcommand("worker", "Execute cases for `alsbench run`");
  command->group("");  // hidden
  command->add_option("--socket", *socket, "Inherited socket")->required();
  add_kernels_option(*command);
  result.runs(*command, [socket] {
    Worker(*socket).serve();
    return kExitOk;
  });
}

}  // namespace alsbench
