// `alsbench aa`: this build with itself: how often this machine tells equal builds apart, and which
// effects it would find.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/comparison_output.h"
#include "harness/cli/output.h"
#include "harness/files/command_line.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/report.h"
#include "harness/judge/self_comparison.h"
#include "harness/record/provenance.h"
#include "harness/sweep/json_of.h"
#include "harness/sweep/suite.h"
#include "harness/sweep/worker_client.h"

namespace alsbench {
namespace {

struct AaOptions {
  std::string build = "/proc/self/exe";
  int64_t launches = 12;
  uint64_t seed = 1;
  LaunchOptions launch;
  Rules rules;
  ComparisonOutput output;
};

Json self_json(const SelfComparison& self) {
  return {{"relabelings", self.relabelings},
          {"comparisons", self.comparisons},
          {"alarms", self.alarms}};
}

void print_report(const Comparison& comparison, const SelfComparison& self) {
  TextTable table({"found from %", "effect %", "launches", "verdict", "case"});
  for (const CaseComparison& c : comparison.cases) {
    const double effect = detectable_effect(c, comparison.rules);
    table.add({std::isfinite(effect) ? fmt::format("{:.2f}", effect * 100) : "",
               c.compared() ? fmt::format("{:+.2f}", (c.ratio - 1) * 100) : "",
               fmt::format("{}+{}", c.base_launches, c.test_launches),
               std::string(name_of(c.time_verdict)), c.name});
  }
  fmt::print("{}\n{} false alarms in {} comparisons of cases ({} ways to divide the launches)\n",
             table.text(), self.alarms, self.comparisons, self.relabelings);
}

int aa(const AaOptions& options) {
  const Suite suite = load_suite(options.launch.suite);
  LaunchSettings settings = options.launch.settings(options.output.quiet);
  settings.base = settings.test = std::filesystem::canonical(find_build(options.build));
  BuildLauncher launcher(settings);
  BlockOrder order(options.seed,
                   [&](const LaunchPlace& p, const auto& n) { return launcher.take(p, n); });
  InputMerger base, test;
  try {
    for (int64_t taken = 0; taken < options.launches; taken += 2)
      order.take_block(Phase::screening, {}, base, test);
  } catch (const Interrupted&) {
    fmt::print(stderr, "\ninterrupted; an A/A comparison needs all its launches\n");
    return kExitInterrupted;
  }
  const Comparison comparison = compare(base.input(), test.input(), options.rules);
  const SelfComparison self = relabel(base.input(), test.input(), options.rules);
  Json document = to_json(comparison, "aa", name_of(conclusion_of(comparison)));
  document["provenance"] = provenance(process_command_line());
  document["self"] = self_json(self);
  for (size_t i = 0; i < comparison.cases.size(); ++i)
    document["cases"][i]["detectable_effect"] =
        json_of(detectable_effect(comparison.cases[i], options.rules));
  document["launches"] = launcher.launches();
  if (!options.output.json.empty()) write_json(options.output.json, document);
  if (options.output.json != "stdout") print_report(comparison, self);
  for (const CaseComparison& c : comparison.cases)
    if (!c.compared()) return kExitCasesFailed;
  return self.alarms == 0 && self.comparisons > 0 ? kExitOk : kExitEnvironment;
}

}  // namespace

void add_aa_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<AaOptions>();
  CLI::App* command = app.add_subcommand(
      "aa", "Compares a build with itself: this machine's false alarms and smallest effects");
  command->add_option("--build", options->build, "Program, build folder or checkout")
      ->default_str("this program");
  command
      ->add_option("--launches", options->launches,
                   "Of each label; an odd number is rounded up to the next block")
      ->capture_default_str()
      ->check(CLI::Range(2, 200));
  command->add_option("--seed", options->seed, "Of the order of launches")->capture_default_str();
  add_launch_options(*command, options->launch);
  add_rules_options(*command, options->rules);
  command->add_option("--json", options->output.json, "The comparison as JSON, or stdout")
      ->type_name("F");
  command->add_flag("-q,--quiet", options->output.quiet, "No progress on stderr");
  command->callback([&result, options] { result.action = [options] { return aa(*options); }; });
}

}  // namespace alsbench
