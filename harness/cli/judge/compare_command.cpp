// SPDX-License-Identifier: Apache-2.0
// `alsbench compare`: result files of two sides, judged case by case.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/judge/comparison_output.h"
#include "harness/cli/output.h"
#include "harness/judge/report.h"

namespace alsbench {
namespace {

struct CompareOptions {
  std::filesystem::path base, test;
  std::vector<std::filesystem::path> more_base, more_test;
  ReaderOptions reader;
  Rules rules;
  ComparisonOutput output;
};

FilePlan file_plan(const CompareOptions& options) {
  FilePlan plan;
  plan.reads(options.base, "BASE", ".json");
  plan.reads(options.test, "TEST", ".json");
  for (const auto& path : options.more_base) plan.reads(path, "--more-base", ".json");
  for (const auto& path : options.more_test) plan.reads(path, "--more-test", ".json");
  writes_comparison(plan, options.output);
  return plan;
}

ComparisonInput read_base(const std::vector<std::filesystem::path>& paths,
                          const ForeignReader& reader) {
  try {
    return read_comparison_input(paths, reader);
  } catch (const UsageError& error) {
    throw BaselineError(error.what());
  }
}

int compare_files(const CompareOptions& options) {
  file_plan(options).check();
  std::vector<std::filesystem::path> base{options.base}, test{options.test};
  base.insert(base.end(), options.more_base.begin(), options.more_base.end());
  test.insert(test.end(), options.more_test.begin(), options.more_test.end());
  const ForeignReader reader = options.reader.reader();
  ComparisonInput base_input = read_base(base, reader);
  ComparisonInput test_input = read_comparison_input(test, reader);
  align_devices(base_input, test_input);
  Rules rules = options.rules;
  rules.in_turn = take_turns(base_input, test_input, rules);
  const Comparison comparison = compare(base_input, test_input, rules);
  const Conclusion conclusion = conclusion_of(comparison);
  write_comparison(document_of(Procedure::compare, comparison, conclusion), options.output);
  return exit_code_of(conclusion);
}

}  // namespace

void add_compare_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "Compare result files and report regressions");
  command->add_option("base", options->base, "Result file, or a folder of them; each adds launches")
      ->required();
  command->add_option("test", options->test, "The other side, likewise")->required();
  add_reader_options(*command, options->reader,
                     "Format of the files of other tools (default: the content says it)");
  command->add_option("--more-base", options->more_base, "More files of the base")
      ->type_name("FILE");
  command->add_option("--more-test", options->more_test, "More files of the test side")
      ->type_name("FILE");
  add_rules_options(*command, options->rules);
  add_comparison_output(*command, options->output);
  add_quiet_option(*command, options->output.progress.quiet);
  result.runs(*command, [options] { return compare_files(*options); });
}

}  // namespace alsbench
