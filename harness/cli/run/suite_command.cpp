// SPDX-License-Identifier: Apache-2.0
// `alsbench suite init`: a suite to begin from.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {
namespace {

struct SuiteOptions {
  std::string from = "quick";
  std::string out = kStdout;
};

int init(const SuiteOptions& options) {
  const std::string text = suite_text(options.from);
  FilePlan plan;
  plan.reads(suite_file(options.from), "--from");
  plan.writes_or_prints(options.out, "--out", content::kJson);
  plan.check();
  write_text(options.out, text);
  return kExitOk;
}

}  // namespace

void add_suite_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<SuiteOptions>();
  CLI::App* command = app.add_subcommand("suite", "Create your own suites");
  command->require_subcommand(1);
  CLI::App* begin =
      command->add_subcommand("init", "Copy a shipped suite to edit and pass to alsbench run");
  begin->add_option("--from", options->from, "Suite to copy (alsbench list suites)")
      ->capture_default_str();
  begin->add_option(kOutFlags, options->out, "Output file of the copy, or stdout")
      ->capture_default_str()
      ->type_name("F");
  add_kernels_option(*begin);
  result.runs(*begin, [options] { return init(*options); });
}

}  // namespace alsbench
