// SPDX-License-Identifier: Apache-2.0
// `alsbench ab`: two builds, or two programs of others, on this machine, launch by launch in ABBA
// order, in two phases.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/custom/load.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/report.h"
#include "harness/record/provenance.h"
#include "harness/sweep/suite/suite.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

struct AbOptions {
  std::string base, test;
  std::string base_kernels, test_kernels;  // folders of custom kernels of one side
  ReaderOptions reader;  // its format is that of programs of others; "": these are builds
  std::filesystem::path folder = "results/local";
  LaunchOptions launch;
  TwoPhaseDesign design;
  ComparisonOutput output;
};

FilePlan file_plan(const AbOptions& options, const LauncherOptions* builds) {
  FilePlan plan;
  if (builds != nullptr) {
    plan.reads(suite_file(options.launch.suite), "SUITE");
    plan.reads(builds->base, "--base");
    plan.reads(builds->test, "--test");
  }
  writes_comparison(plan, options.output);
  return plan;
}

void name_output(AbOptions& options, const std::string& name) {
  if (options.output.json.empty())
    options.output.json = (options.folder / fmt::format("ab-{}.json", name)).string();
}

// Both sides, and the document's head, which is known before they are measured.
struct Sides {
  std::unique_ptr<Launcher> launcher;
  ComparisonDocument head;
};

// The folder of the base is this process's too; that of the test side only its launches take.
// Returns "--kernels FOLDER ..." of that side.
std::vector<std::string> load_sides(const AbOptions& options) {
  std::vector<std::string> words = custom::kernel_arguments();  // of both sides
  if (options.base_kernels.empty()) return words;
  const std::vector<KernelsProvenance> tests =
      custom::kernels_in(options.test_kernels, "--test-kernels");
  for (const KernelsProvenance& base : custom::kernels_in(options.base_kernels, "--base-kernels"))
    if (std::none_of(tests.begin(), tests.end(),
                     [&](const KernelsProvenance& test) { return test.name == base.name; }))
      throw UsageError(
          fmt::format("--test-kernels {}: has no kernel '{}', which --base-kernels {} has; give "
                      "both the same \"name\" in kernel.json",
                      options.test_kernels, base.name, options.base_kernels));
  custom::load_kernels(options.base_kernels);
  words.insert(words.end(),
               {"--kernels", std::filesystem::absolute(options.test_kernels).string()});
  return words;
}

// This program, where the sides are folders of kernels and nobody named another.
std::filesystem::path build_of(const AbOptions& options, const std::string& named,
                               const char* option) {
  if (!named.empty()) return find_build(named);
  if (options.base_kernels.empty())
    throw UsageError(
        fmt::format("{}: name the build to compare; builds may be left out where "
                    "--base-kernels and --test-kernels differ",
                    option));
  return std::filesystem::canonical("/proc/self/exe");
}

// The last parts of two folders' paths, as many as tell one from the other.
std::pair<std::string, std::string> telling_names(const std::string& base,
                                                  const std::string& test) {
  const auto parts = [](const std::string& folder) {
    fs::path path = fs::absolute(folder).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    return path.relative_path();
  };
  fs::path a = parts(base), b = parts(test), base_name, test_name;
  if (a == b) return {a.filename().string(), b.filename().string()};
  do {
    base_name = a.filename() / base_name;
    test_name = b.filename() / test_name;
    a = a.parent_path();
    b = b.parent_path();
  } while (base_name == test_name && !a.empty() && !b.empty());
  const auto text = [](const fs::path& path) {
    const std::string name = path.string();
    return name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
  };
  return {text(base_name), text(test_name)};
}

// Sides that differ in their kernels are named by their folders; a build that was named, too.
void name_sides(LauncherOptions& settings, const AbOptions& options) {
  if (options.base_kernels.empty()) return;
  std::tie(settings.base_name, settings.test_name) =
      telling_names(options.base_kernels, options.test_kernels);
  if (!options.base.empty())
    settings.base_name = without_folder(settings.base.string()) + " with " + settings.base_name;
  if (!options.test.empty())
    settings.test_name = without_folder(settings.test.string()) + " with " + settings.test_name;
}

std::string source_of(const std::string& name, const fs::path& program) {
  return name.empty() ? program.string() : name;
}

Sides builds(AbOptions& options) {
  const std::vector<std::string> test_kernels = load_sides(options);
  const Suite suite = options.launch.load();  // all errors before any work
  refuse_few_launches(options.design, options.launch, suite);
  LauncherOptions settings = options.launch.settings();
  settings.base = build_of(options, options.base, "--base");
  settings.test = build_of(options, options.test, "--test");
  settings.test_kernels = test_kernels;
  name_sides(settings, options);
  name_output(options, suite.name);
  check_files(file_plan(options, &settings));
  Sides sides;
  sides.head.comparison.base = source_of(settings.base_name, settings.base);
  sides.head.comparison.test = source_of(settings.test_name, settings.test);
  sides.head.design = record_of(options.design, suite);
  sides.launcher = std::make_unique<BuildLauncher>(std::move(settings));
  return sides;
}

Sides programs(AbOptions& options) {
  if (options.base.empty() || options.test.empty())
    throw UsageError("--format: give the command lines as --base and --test");
  const ProgramOptions settings =
      program_options(options.reader, options.launch.limits, options.base, options.test);
  name_output(options, options.reader.format);
  check_files(file_plan(options, nullptr));
  Sides sides;
  sides.head.programs = record_of(settings);
  sides.head.comparison.base = sides.head.programs->base.command;
  sides.head.comparison.test = sides.head.programs->test.command;
  sides.head.design = record_of(options.design);
  sides.launcher = std::make_unique<ProgramLauncher>(settings);
  return sides;
}

// How many cases programs have, the first launch tells.
void refuse_few_of(const AbOptions& options, const ComparisonInput& first) {
  const auto cases = static_cast<int64_t>(first.cases.size());
  refuse_few_launches("--max-launches", options.design.max_launches, "the program", cases,
                      launches_to_confirm(options.design.rules, cases));
}

ComparisonDocument document_of(Comparison comparison, const TwoPhaseResult& result,
                               const Sides& sides, Conclusion conclusion) {
  ComparisonDocument document = document_of(Procedure::ab, std::move(comparison), conclusion);
  document.programs = sides.head.programs;
  document.design = sides.head.design;
  document.design->suspects = result.suspects;
  document.design->stop_reason = result.stop_reason;
  document.launches = sides.launcher->launches();
  return document;
}

int ab(AbOptions options) {
  const bool of_others = !options.reader.format.empty();
  const Sides sides = of_others ? programs(options) : builds(options);
  Launcher& launcher = *sides.launcher;
  LaunchProgress progress("ab", options.output.progress, options.design);
  progress.listen(launcher);
  TwoPhaseResult result;
  try {
    result = run_two_phases(
        options.design,
        [&](const LaunchPlace& place, const auto& names) {
          ComparisonInput input = launcher.take(place, names);
          if (of_others && place.index == 0) refuse_few_of(options, input);
          return input;
        },
        [&] { return launcher.seconds(); });
  } catch (const Interrupted&) {
    progress.end();
    result.stop_reason = StopReason::interrupted;
    return keep_launches(document_of(sides.head.comparison, result, sides, Conclusion::interrupted),
                         launcher, options.output);
  }
  progress.end();
  const Conclusion conclusion = conclusion_of(result.comparison);
  write_comparison(document_of(result.comparison, result, sides, conclusion), options.output);
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
      app.add_subcommand("ab", "Compare two builds, or two programs of others, launch by launch");
  command->add_option("--base", options->base,
                      "Program, build folder or checkout; with --format a command line");
  command->add_option("--test", options->test, "The other side, likewise");
  CLI::Option* const format = add_reader_options(*command, options->reader, kProgramFormat);
  for (CLI::Option* of_builds : add_launch_options(*command, options->launch))
    of_builds->excludes(format);
  add_kernels_option(*command)->excludes(format);
  CLI::Option* const base_kernels = command
                                        ->add_option("--base-kernels", options->base_kernels,
                                                     "Folder of custom kernels of the base alone")
                                        ->type_name("PATH")
                                        ->excludes(format);
  CLI::Option* const test_kernels =
      command
          ->add_option("--test-kernels", options->test_kernels,
                       "Folder of custom kernels of the other side alone")
          ->type_name("PATH")
          ->needs(base_kernels);
  base_kernels->needs(test_kernels);
  add_design_options(*command, options->design);
  command
      ->add_flag("--counters", options->design.counters,
                 "Count hardware events of slower or faster cases in one more launch of each build")
      ->excludes(format);
  add_folder_option(*command, options->folder, "Folder of the result file");
  add_comparison_output(*command, options->output);
  add_progress_options(*command, options->output.progress);
  result.runs(*command, [options] { return ab(*options); });
}

}  // namespace alsbench
