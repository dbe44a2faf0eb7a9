// SPDX-License-Identifier: Apache-2.0
// `alsbench import`: names the program that does it.
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "harness/cli/commands.h"

namespace alsbench {

void add_import_command(CLI::App& app, CommandResult& result) {
  CLI::App* command = app.add_subcommand(
      "import", "Make a model of what implicit or Spark saved, with the Python package");
  command->prefix_command();
  result.runs(*command, []() -> int {
    throw UsageError(
        "import: models are imported by the alsbench of the Python package: pip install "
        "'alsbench[arrow]', then python -m alsbench import with the same options");
  });
}

}  // namespace alsbench
