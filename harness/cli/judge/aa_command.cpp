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
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/report.h"
#include "harness/judge/self_comparison.h"
#include "harness/judge/statistics.h"
#include "harness/record/comparison_table.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {
namespace {

struct AaOptions {
  std::string build;     // "": this program
  ReaderOptions reader;  // its format is that of a program of others; "": it is a build
  int64_t launches = 12;
  uint64_t seed = 1;
  std::filesystem::path folder = "results/local";
  LaunchOptions launch;
  Rules rules;
  ComparisonOutput output;
};

FilePlan file_plan(const AaOptions& options, const LauncherOptions* build) {
  FilePlan plan;
  if (build != nullptr) {
    plan.reads(suite_file(options.launch.suite), "SUITE");
    plan.reads(build->base, "--build");
  }
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
               median_cell(c, Build::base), median_cell(c, Build::test),
               c.compared() ? change_cell(c.ratio, c.disturbed()) : "",
               fmt::format("{}+{}", c.base_launches, c.test_launches),
               std::string(name_of(c.time_verdict)), c.name});
  }
  fmt::print("{}\n{} false alarms in {} comparisons of cases ({} ways to divide the launches)\n",
             table.text(), self.alarms, self.comparisons, self.relabelings);
  fmt::print("{}", ability_text(comparison));
  flush_output();  // before the verdict on stderr
}

void name_output(AaOptions& options, const std::string& name) {
  if (options.output.json.empty())
    options.output.json = (options.folder / fmt::format("aa-{}.json", name)).string();
}

void refuse_few_of(const AaOptions& options, const std::string& name, int64_t cases) {
  refuse_few_launches("--launches", options.launches, name, cases,
                      launches_for_significance(options.rules.alpha, cases));
}

std::unique_ptr<Launcher> build(AaOptions& options, ComparisonDocument& head) {
  const Suite suite = options.launch.load();
  refuse_few_of(options, suite.name, options.launch.cases_of(suite));
  LauncherOptions settings = options.launch.settings();
  settings.base = settings.test = std::filesystem::canonical(
      find_build(options.build.empty() ? "/proc/self/exe" : options.build));
  name_output(options, suite.name);
  check_files(file_plan(options, &settings));
  head.comparison.base = settings.base.string();
  return std::make_unique<BuildLauncher>(std::move(settings));
}

std::unique_ptr<Launcher> program(AaOptions& options, ComparisonDocument& head) {
  if (options.build.empty())
    throw UsageError("--format: give the command line of the program as --build");
  const ProgramOptions settings =
      program_options(options.reader, options.launch.limits, options.build, options.build);
  name_output(options, options.reader.format);
  check_files(file_plan(options, nullptr));
  head.programs = record_of(settings);
  head.comparison.base = head.programs->base.command;
  return std::make_unique<ProgramLauncher>(settings);
}

// Launches of both labels in blocks.
void take_launches(const AaOptions& options, Launcher& launcher, InputMerger& base,
                   InputMerger& test) {
  BlockOrder order(options.seed, [&](const LaunchPlace& place, const auto& names) {
    ComparisonInput input = launcher.take(place, names);
    if (!options.reader.format.empty() && place.index == 0)
      refuse_few_of(options, "the program", static_cast<int64_t>(input.cases.size()));
    return input;
  });
  for (int64_t taken = 0; taken < options.launches; taken += 2)
    order.take_block(Phase::screening, {}, base, test);
}

int aa(AaOptions options) {
  ComparisonDocument head;
  const std::unique_ptr<Launcher> launcher =
      options.reader.format.empty() ? build(options, head) : program(options, head);
  TwoPhaseDesign design;
  design.screening_launches = options.launches + options.launches % 2;  // whole blocks
  LaunchProgress progress("aa", options.output.progress, design);
  progress.listen(*launcher);
  InputMerger base, test;
  const auto finished = [&](Comparison comparison, Conclusion conclusion) {
    ComparisonDocument document = document_of(Procedure::aa, std::move(comparison), conclusion);
    document.programs = head.programs;
    document.launches = launcher->launches();
    return document;
  };
  try {
    take_launches(options, *launcher, base, test);
  } catch (const Interrupted&) {
    progress.end();
    Comparison none;
    none.base = none.test = head.comparison.base;
    none.rules = options.rules;
    return keep_launches(finished(std::move(none), Conclusion::interrupted), *launcher,
                         options.output);
  }
  progress.end();
  Comparison comparison = compare(base.input(), test.input(), options.rules);
  for (CaseComparison& c : comparison.cases)
    c.detectable_effect = detectable_effect(c, options.rules);
  const SelfComparison self = relabel(base.input(), test.input(), options.rules);
  const Conclusion conclusion = conclusion_of(comparison, self);
  ComparisonDocument document = finished(comparison, conclusion);
  document.self = self;
  write_json(options.output.json, to_json(document));
  if (options.output.json != "stdout") print_report(comparison, self);
  print_message("{}; in {}\n", verdict_text(comparison, self), options.output.json);
  return exit_code_of(conclusion);
}

}  // namespace

void add_aa_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<AaOptions>();
  CLI::App* command = app.add_subcommand(
      "aa",
      "Compare a build, or a program of others, with itself to measure this machine's "
      "false alarms and smallest detectable effects");
  command
      ->add_option("--build", options->build,
                   "Program, build folder or checkout; with --format a command line")
      ->default_str("this program");
  CLI::Option* const format = add_reader_options(*command, options->reader, kProgramFormat);
  add_checked(*command, "--launches", options->launches, CLI::Range(2, 200),
              "Launches of each label (odd numbers are rounded up to the next block)")
      ->capture_default_str();
  add_checked(*command, "--seed", options->seed, seed_number(), "Seed of the order of launches")
      ->capture_default_str();
  for (CLI::Option* of_builds : add_launch_options(*command, options->launch))
    of_builds->excludes(format);
  add_kernels_option(*command)->excludes(format);
  add_folder_option(*command, options->folder, "Folder of the result file");
  add_rules_options(*command, options->rules);
  add_form_option(*command, "--json", options->output.json, "the comparison as JSON");
  add_progress_options(*command, options->output.progress);
  result.runs(*command, [options] { return aa(*options); });
}

}  // namespace alsbench
