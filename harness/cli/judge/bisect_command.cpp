// SPDX-License-Identifier: Apache-2.0
// `alsbench bisect`: the commit that made a case slower.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/custom/load.h"
#include "harness/files/cache_folder.h"
#include "harness/judge/bisection.h"
#include "harness/judge/report.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {
namespace {

struct BisectOptions {
  std::string range;             // GOOD..BAD
  std::string repository = ".";  // of git
  std::string build_command = {};
  std::filesystem::path kernels = {};  // folder in a checkout: commits of kernels, not of builds
  std::string builds;                  // folder; "": in the cache
  std::filesystem::path folder = "results/local";
  std::string json;
  LaunchOptions launch;
  TwoPhaseDesign design;
  ProgressOptions progress;
};

// The command of a shell in a checkout. Kernels need no build, but may be generated.
std::string build_command(const BisectOptions& options) {
  if (!options.build_command.empty()) return options.build_command;
  return options.kernels.empty() ? "cmake -S . -B build && cmake --build build --target alsbench"
                                 : ":";
}

std::filesystem::path builds_folder(const BisectOptions& options) {
  if (!options.builds.empty()) return options.builds;
  const std::filesystem::path cache = cache_folder();
  return (cache.empty() ? options.folder : cache) / "builds";
}

void say(const BisectOptions& options, const std::string& line) {
  if (!options.progress.quiet) print_message("bisect: {}\n", visible(line));
}

std::filesystem::path document_path(const BisectOptions& options, const Suite& suite) {
  if (!options.json.empty()) return options.json;
  return options.folder / fmt::format("bisect-{}.json", suite.name);
}

BisectionDocument document_of(const Bisection& bisection, const std::vector<Commit>& commits,
                              const BisectOptions& options, const Suite& suite) {
  BisectionDocument document = document_of(bisection, commits);
  document.provenance = provenance();
  document.range = options.range;
  document.build_command = build_command(options);
  document.kernels = options.kernels.string();
  document.design = record_of(options.design, suite);
  return document;
}

void print(const Bisection& bisection, const std::vector<Commit>& commits) {
  TextTable table({"commit", "result", "effect %", "interval %", "reason"});
  for (const Probe& probe : bisection.probes)
    table.add({commits[probe.commit].text(), std::string(name_of(probe.result)),
               probe.ratio > 0 ? change_cell(probe.ratio, false) : "",
               probe.ratio_low > 0 ? fmt::format("{} to {}", change_cell(probe.ratio_low, false),
                                                 change_cell(probe.ratio_high, false))
                                   : "",
               probe.reason});
  fmt::print("{}\n", table.text());
  fmt::print("{} is slower by {} %\n", bisection.case_name, change_cell(bisection.ratio, false));
  if (bisection.found()) {
    fmt::print("since {}\n", commits[bisection.first_bad].text());
    return;
  }
  fmt::print("since one of these commits, which could not be told apart:\n");
  for (size_t i = bisection.last_good + 1; i <= bisection.first_bad; ++i)
    fmt::print("  {}\n", commits[i].text());
}

// Compares the build of one commit with that of the first.
Comparison compare_commit(const BisectOptions& options, LauncherOptions settings,
                          const TwoPhaseDesign& design, const std::string& case_name) {
  if (!case_name.empty()) settings.filter = filter_of({case_name});
  LaunchProgress progress("bisect", options.progress, design);
  BuildLauncher launcher(std::move(settings));
  progress.listen(launcher);
  return run_two_phases(
             design, [&](const LaunchPlace& p, const auto& n) { return launcher.take(p, n); },
             [&] { return launcher.seconds(); })
      .comparison;
}

FilePlan file_plan(const BisectOptions& options, const Suite& suite) {
  FilePlan plan;
  plan.reads(suite_file(options.launch.suite), "SUITE");
  plan.writes_or_prints(document_path(options, suite).string(), "--json", content::kJson);
  return plan;
}

// The sides that commits differ by: the program, or the kernels that this one is given.
class CommitSides {
 public:
  CommitSides(const BisectOptions& options, const CommitBuilds& builds)
      : options_(options), builds_(builds) {}

  void base(LauncherOptions& settings, const Commit& commit) const {
    place(commit, settings.base, settings.base_kernels);
  }
  void test(LauncherOptions& settings, const Commit& commit) const {
    place(commit, settings.test, settings.test_kernels);
  }
  // Throws UsageError where the commit has no such folder.
  std::filesystem::path kernels(const Commit& commit) const {
    const std::filesystem::path folder = builds_.checkout(commit) / options_.kernels;
    if (!std::filesystem::is_directory(folder))
      throw UsageError(
          fmt::format("--kernels {}: is no folder of {}; name it as the repository's "
                      "checkout has it",
                      options_.kernels.string(), commit.text()));
    return folder;
  }

 private:
  void place(const Commit& commit, std::filesystem::path& program,
             std::vector<std::string>& words) const {
    if (options_.kernels.empty()) {
      if (!builds_.is_built(commit)) say(options_, "building " + commit.text());
      program = builds_.program(commit);
      return;
    }
    program = std::filesystem::canonical("/proc/self/exe");
    words = {"--kernels", kernels(commit).string()};
  }

  const BisectOptions& options_;
  const CommitBuilds& builds_;
};

// Throws where it cannot be measured.
Suite checked_suite(BisectOptions& options) {
  Suite suite = options.launch.load();
  refuse_few_launches(options.design, options.launch, suite);
  check_files(file_plan(options, suite));
  return suite;
}

int bisect(BisectOptions options) {
  // All errors before any work; a suite of custom kernels is known once a commit has them.
  std::optional<Suite> known;
  if (options.kernels.empty()) known = checked_suite(options);
  const CommitBuilds builds(options.repository, builds_folder(options), build_command(options),
                            &catch_interrupts());
  const CommitSides sides(options, builds);
  const std::vector<Commit> commits = builds.commits(options.range);
  if (!known) {
    custom::load_kernels(sides.kernels(commits.front()));
    known = checked_suite(options);
  }
  const Suite& suite = *known;
  LauncherOptions settings = options.launch.settings();
  say(options, fmt::format("{} commits after {}", commits.size() - 1, commits.front().text()));
  const Bisection bisection = find_first_slower(
      commits.size(), options.design,
      [&](size_t commit, const TwoPhaseDesign& design, const std::string& case_name) {
        sides.base(settings, commits.front());
        sides.test(settings, commits[commit]);
        say(options, "comparing " + commits[commit].text());
        return compare_commit(options, settings, design, case_name);
      });
  const std::filesystem::path target = document_path(options, suite);
  write_json(target.string(), to_json(document_of(bisection, commits, options, suite)));
  say(options, "in " + target.string());
  if (bisection.case_name.empty()) {
    if (target != kStdout) fmt::print("no case of {} is slower\n", commits.back().text());
    return exit_code_of(conclusion_of(bisection.whole));
  }
  if (target != kStdout) print(bisection, commits);
  return kExitRegression;
}

}  // namespace

void add_bisect_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<BisectOptions>();
  CLI::App* command = app.add_subcommand(
      "bisect", "Finds the commit that made a case slower, by building commits between two");
  command->add_option("range", options->range, "GOOD..BAD: the commits to search")
      ->required()
      ->type_name("RANGE");
  add_launch_options(*command, options->launch);
  command->add_option("--repository", options->repository, "Git repository whose commits are built")
      ->capture_default_str();
  command->add_option("--build-command", options->build_command,
                      "Shell command that builds the checkout of a commit (default: cmake; with "
                      "--kernels nothing)");
  command
      ->add_option("--kernels", options->kernels,
                   "Folder of custom kernels in the repository: its commits are compared, all "
                   "measured by this program")
      ->type_name("PATH");
  command->add_option("--builds", options->builds,
                      "Folder for the builds of commits (default: builds/ in the cache folder)");
  add_design_options(*command, options->design);
  add_folder_option(*command, options->folder, "Folder of the result file");
  add_form_option(*command, "--json", options->json, "the bisection as JSON");
  add_progress_options(*command, options->progress);
  result.runs(*command, [options] { return bisect(*options); });
}

}  // namespace alsbench
