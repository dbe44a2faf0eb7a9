// SPDX-License-Identifier: Apache-2.0
// `alsbench aa`: this build with itself: how often this machine tells equal builds apart, and which
// effects it would find.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/output.h"
#include "harness/cli/standard_streams.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/report.h"
#include "harness/judge/self_comparison.h"
#include "harness/judge/statistics.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {
namespace {

struct AaOptions {
  std::string build = "/proc/self/exe";
  int64_t launches = 12;
  uint64_t seed = 1;
  std::filesystem::path folder = "results/local";
  LaunchOptions launch;
  Rules rules;
  ComparisonOutput output;
};

FilePlan file_plan(const AaOptions& options, const LauncherOptions& settings) {
  FilePlan plan;
  plan.reads(suite_file(options.launch.suite), "SUITE");
  plan.reads(settings.base, "--build");
  writes_comparison(plan, options.output);
  return plan;
}

std::string effect_text(double effect) {
  return std::isfinite(effect) ? fmt::format("{:.2f} %", effect * 100) : "no size";
}

// "7 of 8 cases are undecided at the bound of 0.5 %; slowdowns are found from 0.61 % on in ...".
std::string ability_text(const Comparison& comparison) {
  std::vector<double> effects;
  int64_t undecided = 0;
  for (const CaseComparison& c : comparison.cases) {
    effects.push_back(detectable_effect(c, comparison.rules));
    undecided += c.time_verdict == Verdict::undecided ? 1 : 0;
  }
  std::sort(effects.begin(), effects.end());
  if (!std::isfinite(effects.front()))
    return fmt::format(
        "{} of {} cases are undecided at the bound of {:g} %; so few launches detect no slowdown "
        "of any size\n",
        undecided, effects.size(), comparison.rules.bound * 100);
  return fmt::format(
      "{} of {} cases are undecided at the bound of {:g} %; the smallest detectable slowdown is {} "
      "in the best case, {} in the median case and {} in the worst\n",
      undecided, effects.size(), comparison.rules.bound * 100, effect_text(effects.front()),
      effect_text(effects[effects.size() / 2]), effect_text(effects.back()));
}

std::string_view verdict_text(const Comparison& comparison, const SelfComparison& self) {
  switch (conclusion_of(comparison, self)) {
    case Conclusion::failed:
      return "cases failed";
    case Conclusion::clean:
      return "fit: equal builds compare as equal on this machine";
    default:
      break;
  }
  if (self.alarms > 0) return "unfit: equal builds compare as different on this machine";
  if (conclusion_of(comparison) == Conclusion::regression)
    return "unfit: a figure other than time differs between launches";
  if (std::any_of(comparison.controls.begin(), comparison.controls.end(), moved))
    return "unfit: a control moved, the machine was not quiet";
  return "undecided: no false alarm, but changes as small as the bound are not detected; use more "
         "--launches, a quieter machine or a larger --bound";
}

void print_report(const Comparison& comparison, const SelfComparison& self) {
  TextTable table(
      {"found from %", "first ms", "second ms", "effect %", "launches", "verdict", "case"});
  for (const CaseComparison& c : comparison.cases) {
    const double effect = detectable_effect(c, comparison.rules);
    table.add({std::isfinite(effect) ? fmt::format("{:.2f}", effect * 100) : "",
               milliseconds_cell(c.base_seconds, c.base_disturbed > 0),
               milliseconds_cell(c.test_seconds, c.test_disturbed > 0),
               c.compared() ? change_cell(c.ratio, c.disturbed()) : "",
               fmt::format("{}+{}", c.base_launches, c.test_launches),
               std::string(name_of(c.time_verdict)), c.name});
  }
  fmt::print("{}\n{} false alarms in {} comparisons of cases ({} ways to divide the launches)\n",
             table.text(), self.alarms, self.comparisons, self.relabelings);
  fmt::print("{}", ability_text(comparison));
  flush_output();  // before the verdict on stderr
}

int aa(AaOptions options) {
  const Suite suite = load_suite(options.launch.suite);
  const int64_t cases = options.launch.cases_of(suite);
  refuse_few_launches("--launches", options.launches, suite, cases,
                      launches_for_significance(options.rules.alpha, cases));
  LauncherOptions settings = options.launch.settings();
  settings.base = settings.test = std::filesystem::canonical(find_build(options.build));
  if (options.output.json.empty())
    options.output.json = (options.folder / fmt::format("aa-{}.json", suite.name)).string();
  file_plan(options, settings).check();
  TwoPhaseDesign design;
  design.screening_launches = options.launches + options.launches % 2;  // whole blocks
  LaunchProgress progress("aa", options.output.progress, design);
  progress.listen(settings);
  BuildLauncher launcher(settings);
  BlockOrder order(options.seed,
                   [&](const LaunchPlace& p, const auto& n) { return launcher.take(p, n); });
  InputMerger base, test;
  try {
    for (int64_t taken = 0; taken < options.launches; taken += 2)
      order.take_block(Phase::screening, {}, base, test);
  } catch (const Interrupted&) {
    progress.end();
    Comparison none;
    none.base = none.test = settings.base.string();
    none.rules = options.rules;
    return keep_launches(document_of(Procedure::aa, std::move(none), Conclusion::interrupted),
                         launcher, options.output);
  }
  progress.end();
  Comparison comparison = compare(base.input(), test.input(), options.rules);
  for (CaseComparison& c : comparison.cases)
    c.detectable_effect = detectable_effect(c, options.rules);
  const SelfComparison self = relabel(base.input(), test.input(), options.rules);
  const Conclusion conclusion = conclusion_of(comparison, self);
  ComparisonDocument document = document_of(Procedure::aa, comparison, conclusion);
  document.self = self;
  document.launches = launcher.launches();
  write_json(options.output.json, to_json(document));
  if (options.output.json != "stdout") print_report(comparison, self);
  if (!options.output.progress.quiet)
    print_message("{}; in {}\n", verdict_text(comparison, self), options.output.json);
  return exit_code_of(conclusion);
}

}  // namespace

void add_aa_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<AaOptions>();
  CLI::App* command = app.add_subcommand("aa",
                                         "Compare a build with itself to measure this machine's "
                                         "false alarms and smallest detectable effects");
  command->add_option("--build", options->build, "Program, build folder or checkout")
      ->default_str("this program");
  command
      ->add_option("--launches", options->launches,
                   "Launches of each label (odd numbers are rounded up to the next block)")
      ->capture_default_str()
      ->check(CLI::Range(2, 200));
  command->add_option("--seed", options->seed, "Seed of the order of launches")
      ->check(seed_number())
      ->capture_default_str();
  add_launch_options(*command, options->launch);
  add_folder_option(*command, options->folder, "Folder of the result file");
  add_rules_options(*command, options->rules);
  add_form_option(*command, "--json", options->output.json, "the comparison as JSON");
  add_progress_options(*command, options->output.progress);
  command->callback([&result, options] { result.action = [options] { return aa(*options); }; });
}

}  // namespace alsbench
