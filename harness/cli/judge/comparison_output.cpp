// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/judge/comparison_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/run/run_selection.h"
#include "harness/cli/share_option.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/custom/load.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/record/comparison_table.h"
#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {
namespace {

void print_table(const Table& table) {
  TextTable text(table.header);
  for (const auto& row : table.rows) text.add(row);
  fmt::print("{}", text.text());
}

std::string verdict_text(const Comparison& comparison) {
  const Conclusion conclusion = conclusion_of(comparison);
  if (conclusion == Conclusion::unfit)
    return fmt::format("no regression was found, but {}",
                       fmt::join(reasons_unfit(comparison), "; "));
  return std::string(conclusion_text(conclusion));
}

// Notes on how to read the tables.
void print_notes(const Comparison& comparison) {
  for (const std::string& difference : comparison.differences)
    print_message("differs: {}\n", printable(difference));
  for (const std::string& figure : comparison.not_compared)
    print_message("not compared: {}\n", printable(figure));
  for (const std::string& side : comparison.disturbed)
    print_message("disturbed by other work on the machine, marked \"!\": {}\n", printable(side));
}

}  // namespace

void add_rules_options(CLI::App& command, Rules& rules) {
  add_share(command, "--bound", rules.bound, Ends::upper,
            "Change of time that matters: 1% or 0.01 (default 0.5%)");
  add_share(command, "--alpha", rules.alpha, Ends::neither,
            "Significance level for adjusted p-values; intervals have confidence 1 - alpha "
            "(default 0.01)");
  add_share(command, "--rmse-bound", rules.metric_bound, Ends::both,
            "Rise of a training's last test RMSE that matters (default 0.1%)");
  add_share(command, "--memory-bound", rules.memory_bound, Ends::both,
            "Rise of a case's peak device memory that matters (default 1%)");
  add_share(command, "--max-undecided", rules.max_undecided, Ends::both,
            "Share of undecided cases above which the exit code is 3 (default 10%)");
  command.add_flag(
      "--cross-env", rules.cross_environment,
      "Compare even if device, driver, toolkit, suite or data differ; each row is marked");
}

void add_comparison_output(CLI::App& command, ComparisonOutput& output) {
  add_form_option(command, "--json", output.json, "the comparison as JSON");
  add_form_option(command, "--md", output.md, "its verdict and table as Markdown");
}

void writes_comparison(FilePlan& plan, const ComparisonOutput& output) {
  plan.writes_or_prints(output.json, "--json", content::kJson);
  plan.writes_or_prints(output.md, "--md", content::kMarkdown);
}

void check_files(const FilePlan& plan) {
  plan.check();
  plan.check_writable();
}

void write_comparison(const ComparisonDocument& document, const ComparisonOutput& output) {
  const Comparison& comparison = document.comparison;
  if (!output.json.empty()) write_json(output.json, to_json(document));
  write_text(output.md, comparison_to_markdown(document));
  if (output.json != "stdout" && output.md != "stdout") {
    print_table(comparison_table(comparison));
    if (!comparison.controls.empty()) {
      fmt::print("\nControls: the same code on both sides\n");
      print_table(control_table(comparison));
    }
    flush_output();  // before the verdict on stderr
  }
  for (const auto& [story, evidence] : told_stories(comparison.stories))
    print_message("{}: {}\n", story, printable(evidence));
  if (!output.progress.quiet) print_notes(comparison);
  print_message("{}: {}\n", counts_text(comparison), printable(verdict_text(comparison)));
}

int keep_launches(ComparisonDocument document, const Launcher& launcher,
                  const ComparisonOutput& output) {
  document.launches = launcher.launches();
  write_json(output.json, to_json(document));
  print_message("\ninterrupted; {} launches are in {}\n", launcher.launches().size(), output.json);
  return kExitInterrupted;
}

ExitCode exit_code_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::clean:
      return kExitOk;
    case Conclusion::regression:
      return kExitRegression;
    case Conclusion::unfit:
      return kExitEnvironment;
    case Conclusion::failed:
      return kExitCasesFailed;
    case Conclusion::interrupted:
      return kExitInterrupted;
  }
  return kExitEnvironment;
}

Suite LaunchOptions::load() {
  constexpr const char* kUsualSuite = "ci";
  const std::vector<std::string> kernels = custom::kernel_names();
  if (suite.empty() && kernels.size() > 1)
    throw UsageError(fmt::format("name a suite; each custom kernel has one of its name: {}",
                                 fmt::join(kernels, ", ")));
  if (suite.empty()) suite = kernels.empty() ? kUsualSuite : kernels.front();
  RunOptions run;
  run.data = data;
  return suite_on_ratings(suite, run);
}

LauncherOptions LaunchOptions::settings() const {
  LauncherOptions settings;
  settings.base_kernels = settings.test_kernels = custom::kernel_arguments();
  settings.suite_text = suite_text(suite);
  settings.filter = filter;
  settings.arguments = arguments();
  settings.launch = {limits, &catch_interrupts()};
  return settings;
}

int64_t LaunchOptions::cases_of(const Suite& loaded) const {
  RunOptions run;
  run.filter = filter;
  run.device = device;
  if (!scale.empty()) run.scale = std::stod(scale);
  std::string cuda_unavailable;
  const int cuda_devices = cuda_device_count(&cuda_unavailable);
  if (cuda_devices > 0) cuda_unavailable.clear();
  const std::vector<Case> cases = expand(loaded, selection_of(run, cuda_devices));
  refuse_oversized(cases, cuda_unavailable);
  return comparable_cases(cases, cuda_unavailable);
}

void refuse_few_launches(const std::string& option, int64_t launches, const std::string& name,
                         int64_t cases, int64_t needed) {
  if (cases > 0 && launches < needed)
    throw UsageError(fmt::format("{} {}: {}; fewer never detect a slowdown of one case", option,
                                 launches, launches_text(name, cases, needed)));
}

std::vector<std::string> LaunchOptions::arguments() const {
  std::vector<std::string> words;
  for (const auto& [flag, value] :
       {std::pair("--device", device), std::pair("--scale", scale),
        std::pair("--size", data.sizes.text()), std::pair("--min-samples", min_samples),
        std::pair("--max-samples", max_samples), std::pair("--max-noise", max_noise),
        std::pair("--timeout", timeout)})
    if (!value.empty()) words.insert(words.end(), {flag, value});
  return words;
}

std::vector<CLI::Option*> add_launch_options(CLI::App& command, LaunchOptions& options) {
  add_checked(command, "--launch-timeout", options.limits.seconds, above_zero(),
              "Time limit of a launch, in seconds, after which it is killed")
      ->capture_default_str();
  command
      .add_option("--launch-memory", options.limits.bytes,
                  "Memory limit of a launch, of all its processes, such as 8GiB (default: none)")
      ->type_name("SIZE")
      ->transform(memory_size());
  return {command
              .add_option("suite", options.suite,
                          "Name of a shipped suite, of a custom kernel's, or a JSON file")
              ->default_str("ci, or the custom kernel's"),
          add_size_option(command, options.data),
          command.add_option("--filter", options.filter,
                             "Only measurements whose name matches this regex"),
          command.add_option("-d,--device", options.device, kSeveralDevices),
          add_checked(command, "--scale", options.scale, above_zero(),
                      "Scale of every generated data set"),
          add_checked(command, "--min-samples", options.min_samples, above_zero(),
                      "Minimum number of samples of a measurement in a launch")
              ->capture_default_str(),
          command.add_option("--max-samples", options.max_samples)
              ->capture_default_str()
              ->check(above_zero()),
          add_checked(command, "--max-noise", options.max_noise, zero_or_more(),
                      "Target relative IQR of a launch's median")
              ->capture_default_str(),
          add_checked(command, "--timeout", options.timeout, above_zero(),
                      "Maximum sampling time of a measurement, in seconds")
              ->capture_default_str()};
}

void add_design_options(CLI::App& command, TwoPhaseDesign& design) {
  const auto even = CLI::Validator(
      [](const std::string& text) {
        int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number >= 2 && number <= 200 && number % 2 == 0
                   ? std::string()
                   : text + " is not an even number from 2 to 200";
      },
      "EVEN");
  add_checked(command, "--screening-launches", design.screening_launches, even,
              "Launches of each build for screening all cases")
      ->capture_default_str();
  add_checked(command, "--max-launches", design.max_launches, even,
              "Launches of each build for confirming cases that screening left open")
      ->capture_default_str();
  add_checked(command, "--budget-seconds", design.budget_seconds, above_zero(),
              "Time budget: start no block of 2 + 2 launches after it (the first always runs)");
  add_checked(command, "--seed", design.seed, seed_number(), "Seed of the order of launches")
      ->capture_default_str();
  add_rules_options(command, design.rules);
}

void refuse_few_launches(const TwoPhaseDesign& design, const LaunchOptions& launch,
                         const Suite& suite) {
  const int64_t cases = launch.cases_of(suite);
  refuse_few_launches("--max-launches", design.max_launches, suite.name, cases,
                      launches_to_confirm(design.rules, cases));
}

ForeignReader ReaderOptions::reader() const {
  ForeignReader reader;
  if (!format.empty()) reader.format = named<ForeignFormat>(format);
  for (const std::string& value : values) reader.values.push_back(value_path_of(value));
  if (!reader.values.empty() && !reader.format) reader.format = ForeignFormat::json;
  if (reader.format == ForeignFormat::json && reader.values.empty())
    throw UsageError(
        "--format json: say where the numbers are, such as --value /latency/mean:ms or --value "
        "/throughput:MB/s:higher");
  if (reader.format && reader.format != ForeignFormat::json && !reader.values.empty())
    throw UsageError("--value is of --format json; leave one of them out");
  return reader;
}

ProgramOptions program_options(const ReaderOptions& reader, const ProgramLimits& limits,
                               const std::string& base, const std::string& test) {
  const ForeignReader read = reader.reader();
  return {base, test, read.format.value(), read.values, {limits, &catch_interrupts()}};
}

CLI::Option* add_reader_options(CLI::App& command, ReaderOptions& options, const char* meaning) {
  std::vector<std::string> names;
  for (const auto& [format, name] : kNamesOf<ForeignFormat>) names.emplace_back(name);
  CLI::Option* const format =
      command.add_option("--format", options.format, meaning)->check(CLI::IsMember(names));
  command
      .add_option("--value", options.values,
                  "Number of --format json: JSON pointer, unit, and whether higher is better, such "
                  "as /latency:ms or /throughput:MB/s:higher")
      ->type_name("POINTER:UNIT[:higher]")
      ->allow_extra_args(false);
  return format;
}

}  // namespace alsbench
