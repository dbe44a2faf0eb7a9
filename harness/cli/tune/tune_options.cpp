// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tune_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/validators.h"
#include "harness/data/generator_spec.h"
#include "harness/tune/search/strategy.h"

namespace alsbench {
namespace {

void add_problem_options(CLI::App& command, TuneProblemOptions& options, const char* devices) {
  add_ratings_options(command, options.data);
  add_size_option(command, options.data);
  add_checked(command, "--rank", options.rank, above_zero(), "Rank");
  add_checked(command, "--lambda", options.lambda, zero_or_more(),
              "Regularisation (default: the data set's, else 0.05)");
  command.add_option("-d,--device", options.device, devices);
  add_checked(command, "--hang-timeout", options.hang_timeout, above_zero(),
              "Seconds without an answer after which a worker counts as hung");
}

void add_journal_options(CLI::App& command, LiveTuneOptions& options) {
  command.add_option("--journal", options.journal, "Journal file of all measurements")
      ->type_name("F");
  CLI::Option* resume = command.add_flag("--resume", options.resume, "Resume from the journal");
  command.add_flag("--fresh", options.fresh, "Start over, ignoring an unfinished journal")
      ->excludes(resume);
}

}  // namespace

void add_search_options(CLI::App& command, TuneSearchOptions& options, const TuneHelp& help) {
  command.add_option(
      "--strategy", options.strategy,
      fmt::format("{} (default {})", fmt::join(strategy_names(), ", "), strategy_names().front()));
  add_checked(command, "--budget-evals", options.budget_evaluations, above_zero(),
              help.evaluations);
  add_checked(command, "--budget-seconds", options.budget_seconds, above_zero(), help.seconds);
  add_checked(command, "--seed", options.seed, seed_number(), "Seed of the search");
}

void add_output_options(CLI::App& command, TuneOutputOptions& options) {
  add_folder_option(command, options.folder, "Folder of the result");
  add_form_option(command, "--json", options.json, "the result as JSON");
  command.add_flag("--dry-run", options.dry_run,
                   "Print what would be searched, and how long that may take");
  add_progress_options(command, options.progress);
}

void add_live_options(CLI::App& command, LiveTuneOptions& options, const TuneHelp& help) {
  add_kernels_option(command);
  add_problem_options(command, options.problem, help.devices);
  add_search_options(command, options.search, help);
  command.add_flag("--counters", options.counters,
                   "Read hardware counters (bytes, hits, utilisation, stalls) of the finalists "
                   "after the playoff");
  command
      .add_option("--db", options.database, "Tuning database for the result (default: the user's)")
      ->type_name("PATH");
  add_journal_options(command, options);
  add_output_options(command, options.output);
}

TuningWorkerOptions tuning_worker_options(const TuneProblemOptions& options, bool on_team) {
  check_one_source(options.data);
  check_for_workers(options.data);
  const bool sizes = options.data.has_sizes();
  if (options.rank < 1 && !sizes) throw UsageError("give the rank: --rank F");
  const std::string& dataset = options.data.dataset;
  if (const auto names = dataset_names();
      !dataset.empty() && std::find(names.begin(), names.end(), dataset) == names.end())
    throw UsageError("--dataset: " + unknown_name("data set", dataset, names));
  TuningWorkerOptions worker;
  worker.command = worker_command();
  worker.device = on_team ? one_team(options.device) : one_device(options.device);
  worker.problem.data = options.data;
  worker.problem.rank = sizes ? 1 : options.rank;
  worker.problem.lambda = options.lambda.value_or(usual_lambda(dataset));
  worker.timeout_seconds = options.hang_timeout;
  worker.interrupted = &catch_interrupts();
  return worker;
}

}  // namespace alsbench
