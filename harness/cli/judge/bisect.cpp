// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/judge/bisect.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <vector>

#include "base/message.h"
#include "harness/cli/judge/launch_progress.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/files/cache_folder.h"
#include "harness/judge/bisection_document.h"
#include "harness/judge/report.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {
namespace {

std::filesystem::path builds_folder(const AbOptions& options) {
  if (!options.bisection.builds.empty()) return options.bisection.builds;
  const std::filesystem::path cache = cache_folder();
  return (cache.empty() ? options.folder : cache) / "builds";
}

std::filesystem::path document_path(const AbOptions& options, const Suite& suite) {
  if (!options.output.json.empty()) return options.output.json;
  return options.folder / fmt::format("bisect-{}.json", suite.name);
}

BisectionDocument document_of(const Bisection& bisection, const std::vector<Commit>& commits,
                              const AbOptions& options, const Suite& suite) {
  BisectionDocument document = document_of(bisection, commits);
  document.provenance = provenance();
  document.range = options.bisection.range;
  document.build_command = options.bisection.build_command;
  document.design = record_of(options.design, suite);
  return document;
}

void print(const Bisection& bisection, const std::vector<Commit>& commits) {
  TextTable table({"commit", "told", "effect %", "interval %", "reason"});
  for (const Probe& probe : bisection.probes)
    table.add({commits[probe.commit].text(), std::string(name_of(probe.told)),
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
  fmt::print("since one of these; the others could not be told apart:\n");
  for (size_t i = bisection.last_good + 1; i <= bisection.first_bad; ++i)
    fmt::print("  {}\n", commits[i].text());
}

// Compares the build of one commit with that of the first.
Comparison compare_commit(const AbOptions& options, LaunchSettings settings,
                          const TwoPhaseDesign& design, const std::string& case_name) {
  if (!case_name.empty()) settings.filter = filter_of({case_name});
  LaunchProgress progress("ab", options.output.progress, design);
  progress.listen(settings);
  BuildLauncher launcher(settings);
  return run_two_phases(
             design, [&](const LaunchPlace& p, const auto& n) { return launcher.take(p, n); },
             [&] { return launcher.seconds(); })
      .comparison;
}

FilePlan file_plan(const AbOptions& options, const Suite& suite) {
  FilePlan plan;
  plan.reads(suite_file(options.launch.suite), "SUITE");
  plan.writes_or_prints(document_path(options, suite).string(), "--json");
  return plan;
}

}  // namespace

void add_bisection_options(CLI::App& command, BisectionOptions& options) {
  CLI::Option* range =
      command
          .add_option("--bisect", options.range,
                      "GOOD..BAD: finds the commit that made a case slower, by building "
                      "commits between")
          ->type_name("RANGE");
  command
      .add_option("--repository", options.repository, "Repository of git whose commits are built")
      ->capture_default_str()
      ->needs(range);
  command
      .add_option("--build-command", options.build_command,
                  "What a shell runs in the checkout of a commit")
      ->capture_default_str()
      ->needs(range);
  command
      .add_option("--builds", options.builds,
                  "Folder that keeps the builds of commits (builds/ in the cache folder)")
      ->needs(range);
}

int bisect(const AbOptions& options, const Suite& suite) {
  file_plan(options, suite).check();
  LaunchSettings settings = options.launch.settings();
  const CommitBuilds builds(options.bisection.repository, builds_folder(options),
                            options.bisection.build_command, settings.interrupted);
  const std::vector<Commit> commits = builds.commits(options.bisection.range);
  const auto say = [&](const std::string& line) {
    if (!options.output.progress.quiet) print_message("bisect: {}\n", visible(line));
  };
  const auto program = [&](const Commit& commit) {
    if (!builds.is_built(commit)) say("building " + commit.text());
    return builds.program(commit);
  };
  say(fmt::format("{} commits after {}", commits.size() - 1, commits.front().text()));
  const Bisection bisection = find_first_slower(
      commits.size(), options.design,
      [&](size_t commit, const TwoPhaseDesign& design, const std::string& case_name) {
        settings.base = program(commits.front());
        settings.test = program(commits[commit]);
        say("comparing " + commits[commit].text());
        return compare_commit(options, settings, design, case_name);
      });
  const std::filesystem::path target = document_path(options, suite);
  write_json(target.string(), to_json(document_of(bisection, commits, options, suite)));
  say("in " + target.string());
  if (bisection.case_name.empty()) {
    if (target != kStdout) fmt::print("no case of {} is slower\n", commits.back().text());
    return exit_code_of(conclusion_of(bisection.whole));
  }
  if (target != kStdout) print(bisection, commits);
  return kExitRegression;
}

}  // namespace alsbench
