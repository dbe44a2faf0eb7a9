// SPDX-License-Identifier: Apache-2.0
// `alsbench ab`: two builds on this machine, launch by launch in ABBA order, in two phases.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/judge/design_options.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/output.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/report.h"
#include "harness/sweep/suite/suite.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {
namespace {

struct AbOptions {
  std::string base, test;
  std::filesystem::path folder = "results/local";
  LaunchOptions launch;
  TwoPhaseDesign design;
  ComparisonOutput output;
};

FilePlan file_plan(const AbOptions& options, const LauncherOptions& settings) {
  FilePlan plan;
  plan.reads(suite_file(options.launch.suite), "SUITE");
  plan.reads(settings.base, "--base");
  plan.reads(settings.test, "--test");
  writes_comparison(plan, options.output);
  return plan;
}

// The document's head, known without a verdict; the launches are added last.
ComparisonDocument document_of(const TwoPhaseResult& result, Conclusion conclusion,
                               DesignRecord design) {
  ComparisonDocument document = document_of(Procedure::ab, result.comparison, conclusion);
  design.suspects = result.suspects;
  design.stop_reason = result.stop_reason;
  document.design = std::move(design);
  return document;
}

int ab(AbOptions options) {
  const Suite suite = load_suite(options.launch.suite);  // all errors before any work
  refuse_few_launches(options.design, options.launch, suite);
  LauncherOptions settings = options.launch.settings();
  settings.base = find_build(options.base);
  settings.test = find_build(options.test);
  if (options.output.json.empty())
    options.output.json = (options.folder / fmt::format("ab-{}.json", suite.name)).string();
  file_plan(options, settings).check();
  const DesignRecord design = record_of(options.design, suite);
  LaunchProgress progress("ab", options.output.progress, options.design);
  progress.listen(settings);
  BuildLauncher launcher(settings);
  TwoPhaseResult result;
  try {
    result = run_two_phases(
        options.design, [&](const LaunchPlace& p, const auto& n) { return launcher.take(p, n); },
        [&] { return launcher.seconds(); });
  } catch (const Interrupted&) {
    progress.end();
    result.comparison.base = settings.base.string();
    result.comparison.test = settings.test.string();
    result.stop_reason = StopReason::interrupted;
    return keep_launches(document_of(result, Conclusion::interrupted, design), launcher,
                         options.output);
  }
  progress.end();
  const Conclusion conclusion = conclusion_of(result.comparison);
  ComparisonDocument document = document_of(result, conclusion, design);
  document.launches = launcher.launches();
  write_comparison(document, options.output);
  if (!options.output.progress.quiet)
    print_message(
        "{} launches in {:.0f} s, {} of {} suspect cases decided by the confirmation; "
        "stopped by: {}; in {}\n",
        result.launches, launcher.seconds(), result.confirmed, result.suspects,
        name_of(result.stop_reason), options.output.json);
  return exit_code_of(conclusion);
}

}  // namespace

void add_ab_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<AbOptions>();
  CLI::App* command =
      app.add_subcommand("ab", "Compare two builds on this machine, launch by launch");
  command->add_option("--base", options->base, "Program, build folder or checkout")->required();
  command->add_option("--test", options->test, "The other build, likewise")->required();
  add_launch_options(*command, options->launch);
  add_design_options(*command, options->design);
  command->add_flag(
      "--counters", options->design.counters,
      "Count hardware events of slower or faster cases in one more launch of each build");
  add_folder_option(*command, options->folder, "Folder of the result file");
  add_comparison_output(*command, options->output);
  add_progress_options(*command, options->output.progress);
  command->callback([&result, options] { result.action = [options] { return ab(*options); }; });
}

}  // namespace alsbench
