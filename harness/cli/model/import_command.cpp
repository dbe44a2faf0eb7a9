// SPDX-License-Identifier: Apache-2.0
// `alsbench import`: names the program that does it. Its options are those of
// python/alsbench/import_command.py.
#include <CLI/CLI.hpp>
#include <string>

#include "base/error.h"
#include "harness/cli/commands.h"

namespace alsbench {

void add_import_command(CLI::App& app, CommandResult& result) {
  CLI::App* command = app.add_subcommand(
      "import", "Make a model of what implicit or Spark saved, with the Python package");
  const auto add = [&](const char* names, const char* help) {
    command->add_option_function<std::string>(
        names, [](const std::string&) {}, help);
  };
  add("--from", "implicit or spark: who saved it");
  add("-o,--out", "Folder for the model: a new one, or that of a model");
  add("--feedback", "Of Spark: explicit or implicit");
  add("--regularization", "Of Spark: regParam, which fold-in and explain need");
  add("--alpha", "Of Spark: alpha of implicit feedback");
  add("--users", "Of implicit: file of the users' ids, one a line");
  add("--items", "Of implicit: likewise of the items");
  command->prefix_command();
  result.runs(*command, []() -> int {
    throw UsageError(
        "import: models are imported by the alsbench of the Python package: pip install "
        "'alsbench[arrow]', then python -m alsbench import with the same options");
  });
}

}  // namespace alsbench
