// SPDX-License-Identifier: Apache-2.0
// `alsbench tune`: searches for the fastest configuration.
#include "harness/cli/tune/tune_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <memory>

#include "base/error.h"
#include "base/message.h"
#include "base/suggestion.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/unfinished_run.h"
#include "harness/cli/validators.h"
#include "harness/data/generator_spec.h"
#include "harness/device/device_selection.h"
#include "harness/files/command_line.h"
#include "harness/files/file_plan.h"
#include "harness/files/gzip.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/database/tuning_database.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

Stage stage_of(const std::string& name) {
  if (name.empty()) throw UsageError("give the stage to tune: --stage hermitian");
  std::vector<std::string> names;
  for (const Stage stage : all_stages())
    if (!stage->roof) names.emplace_back(name_of(stage));
  const auto stage = stage_named(name);
  if (!stage || (*stage)->roof) throw UsageError("--stage: " + unknown_name("stage", name, names));
  return *stage;
}

std::vector<const Variant*> variants_of(const TuneCommandOptions& options, Backend backend) {
  const Stage stage = stage_of(options.stage);
  std::vector<const Variant*> list;
  for (const std::string& word : options.variants) {
    const std::string prefix = options.stage + "/";
    const bool qualified = word.starts_with(prefix);
    list.push_back(&variant_named(stage, qualified ? word.substr(prefix.size()) : word, backend));
  }
  if (!list.empty()) return list;
  for (const Variant& variant : catalog())
    if (variant.stage == stage && variant.backend == backend && !variant.hidden)
      list.push_back(&variant);
  if (list.empty())
    throw UsageError(fmt::format("--stage {}: has no {} variant; see alsbench list variants",
                                 options.stage, name_of(backend)));
  return list;
}

// Few enough to be worth it, enough to learn from.
int64_t default_budget(const std::string& strategy, const SearchSpace& space) {
  const auto size = static_cast<int64_t>(space.size());
  if (strategy == "exhaustive") return size;
  return std::min(size, std::max<int64_t>(20, (size + 9) / 10));
}

FilePlan file_plan(const TuneCommandOptions& options, const TuneTargets& targets) {
  FilePlan plan;
  reads_data(plan, options.data);
  plan.reads(options.space_file, "--space");
  plan.reads(options.replay, "--replay");
  if (targets.json_on_stdout)
    plan.writes_or_prints(kStdout, "--json");
  else
    plan.writes(targets.json, options.json.empty() ? "the result" : "--json");
  if (!options.replay.empty()) return plan;
  reads_database(plan, options.database);
  plan.writes(options.database, kDatabaseRole);
  plan.writes(targets.journal, options.journal.empty() ? "the journal" : "--journal");
  return plan;
}

}  // namespace

TuningWorkerOptions tuning_worker_options(const TuneCommandOptions& options, bool on_team) {
  check_one_source(options.data);
  check_names(options.data);
  if (options.rank < 1) throw UsageError("give the rank: --rank F");
  const std::string& dataset = options.data.dataset;
  if (const auto names = dataset_names();
      !dataset.empty() && std::find(names.begin(), names.end(), dataset) == names.end())
    throw UsageError("--dataset: " + unknown_name("data set", dataset, names));
  TuningWorkerOptions worker;
  worker.command = {"/proc/self/exe", "worker"};
  worker.device = on_team ? one_team(options.device) : one_device(options.device);
  worker.problem.data = options.data;
  worker.problem.rank = options.rank;
  worker.problem.lambda = options.lambda.value_or(usual_lambda(dataset));
  worker.timeout_seconds = options.hang_timeout;
  worker.interrupted = &catch_interrupts();
  return worker;
}

SpaceFile space_file_of(const TuneCommandOptions& options) {
  if (options.space_file.empty()) return {};
  return parse_space_file(document_text(options.space_file), options.space_file);
}

SpaceRequest space_request(const TuneCommandOptions& options, const SpaceFile& file,
                           Backend backend) {
  SpaceRequest request;
  request.variants = variants_of(options, backend);
  check_space_file(file, request.variants, options.space_file);
  request.axes = file.axes;
  for (const std::string& text : options.axes) {
    const Axis axis = parse_axis(text);
    std::erase_if(request.axes, [&](const Axis& other) { return other.name == axis.name; });
    request.axes.push_back(axis);
  }
  request.tied = file.tied;
  for (const std::string& names : options.tied)
    request.tied.push_back(CLI::detail::split(names, ','));
  request.conditions = file.conditions;
  return request;
}

TuneOptions tune_options(const TuneCommandOptions& options, const SpaceFile& file,
                         const SearchSpace& space) {
  TuneOptions tune;
  tune.strategy = options.record ? "exhaustive" : strategy_names().front();
  if (file.strategy) tune.strategy = *file.strategy;
  if (!options.strategy.empty()) tune.strategy = options.strategy;
  const auto first = [](auto chosen, auto next, auto fallback) {
    return chosen ? *chosen : next ? *next : fallback;
  };
  tune.strategy_options.seed = first(options.seed, file.seed, tune.strategy_options.seed);
  tune.strategy_options.passes = options.passes;
  tune.budget.evaluations =
      first(options.budget_evaluations, file.evaluations, default_budget(tune.strategy, space));
  tune.budget.seconds = first(options.budget_seconds, file.seconds, tune.budget.seconds);
  tune.strategy_options.budget_evaluations = tune.budget.evaluations;
  if (options.passes > 1 && tune.strategy != "exhaustive")
    throw UsageError(
        fmt::format("--passes {}: {} goes over no point twice; use --strategy "
                    "exhaustive or --record",
                    options.passes, tune.strategy));
  if (options.min_samples.value_or(1) > options.max_samples.value_or(INT64_MAX))
    throw UsageError(fmt::format("--min-samples {} is above --max-samples {}", *options.min_samples,
                                 *options.max_samples));
  SamplingPlan& plan = tune.sampling;
  plan.estimate_samples = options.min_samples.value_or(plan.estimate_samples);
  plan.contender_samples =
      options.max_samples.value_or(std::max(plan.contender_samples, plan.estimate_samples));
  plan.estimate_samples = std::min(plan.estimate_samples, plan.contender_samples);
  if (options.record) {
    // A recording treats all points alike.
    plan.estimate_samples = plan.contender_samples = options.max_samples.value_or(3);
    plan.bail_out = 0;
    plan.playoff_samples = 0;
  }
  plan.bail_out = options.bail_out.value_or(plan.bail_out);
  plan.playoff_samples = options.playoff_samples.value_or(plan.playoff_samples);
  return tune;
}

std::filesystem::path database_path(const TuneCommandOptions& options, const DeviceTraits& device) {
  const std::filesystem::path path = options.database.empty()
                                         ? user_database_path(device)
                                         : std::filesystem::path(options.database);
  check_database(path);
  return path;
}

TuningDatabase known_database(const std::filesystem::path& file) {
  return TuningDatabase::load(std::filesystem::exists(file) ? file : std::filesystem::path());
}

TuneTargets tune_targets(const TuneCommandOptions& options, const std::string& name) {
  TuneTargets targets;
  targets.json_on_stdout = options.json == kStdout;
  targets.json = options.json;
  if (options.json.empty() || targets.json_on_stdout)
    targets.json = options.folder / (name + ".json");
  targets.journal = options.journal;
  if (options.journal.empty()) targets.journal = targets.json.string() + ".journal";
  return targets;
}

void check_files(const TuneCommandOptions& options, const TuneTargets& targets) {
  file_plan(options, targets).check();
  const bool begins_journal = options.replay.empty() && !options.resume && !options.dry_run;
  if (begins_journal && !options.fresh) keep_unfinished(targets.journal);
}

void print_journal_problems(const std::filesystem::path& path,
                            const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    print_message("alsbench: {}: {}; skipped, measured again\n", path.string(), problem);
}

void warn_of_disturbances(const TuningWorker& worker) {
  if (const std::string text = worker.disturbances(); !text.empty())
    print_message("alsbench: warning: {}\n", text);
}

void print_how_to_resume(const TuneTargets& targets) {
  print_message("\nstopped; what was measured is in {}. To go on:\n  {}\n",
                targets.journal.string(), resume_command(process_command_line()));
}

namespace {

void add_pipeline_options(CLI::App& command, TuneCommandOptions& options) {
  command.add_flag("--pipeline", options.pipeline, "Whole pipelines of X and Theta, not a stage");
  add_feedback_options(command, options.algorithm);
  command
      .add_option("--objective", options.objective,
                  "What pipelines are chosen by: time (of an iteration), or time-to-rmse")
      ->check(CLI::IsMember({"time", "time-to-rmse"}));
  command
      .add_option("--iterations", options.iterations,
                  "Iterations after which pipelines are compared with exact FP32")
      ->check(above_zero())
      ->capture_default_str();
  command
      .add_option("--tolerance", options.tolerance,
                  "Pipelines are refused whose metric is off by more than this share, in an "
                  "iteration from the second on")
      ->check(zero_or_more())
      ->capture_default_str();
  command.add_flag("--warm-start", options.warm_start,
                   "Search around what this shape, or a near one, was tuned to: in half the time");
  command
      .add_flag("--leave-out", options.leave_out,
                "Begin as if nothing had been tuned for this very shape")
      ->needs(command.get_option("--warm-start"));
  command.add_option("--db", options.database, "Tuning database that keeps the choice; the user's")
      ->type_name("PATH");
}

void add_space_options(CLI::App& command, TuneCommandOptions& options) {
  command.add_option("--stage", options.stage, "hermitian, bias, solve, ...");
  command.add_option("--part", options.side, "x or theta: which factor is updated")
      ->check(CLI::IsMember({"x", "theta"}));
  command.add_option("-b,--benchmark", options.variants, "Only these variants of the stage")
      ->allow_extra_args(false);
  command.add_option("-a,--axis", options.axes, "Values of a parameter: N=v, N=[a,b], N=[0:8:2]")
      ->allow_extra_args(false);
  command.add_option("--tie", options.tied, "A,B: take the values of these axes together")
      ->allow_extra_args(false);
  command.add_option("--space", options.space_file,
                     "Space, search and budget as JSON in kernel_tuner's T1 words");
}

void add_problem_options(CLI::App& command, TuneCommandOptions& options) {
  add_ratings_options(command, options.data);
  command.add_option("--rank", options.rank, "Number of latent factors")->check(above_zero());
  command
      .add_option("--lambda", options.lambda, "Regularisation (that of the data set, else 0.05)")
      ->check(zero_or_more());
  command.add_option("-d,--device", options.device, kOneTeam);
}

void add_search_options(CLI::App& command, TuneCommandOptions& options) {
  command.add_option(
      "--strategy", options.strategy,
      fmt::format("{} (default {})", fmt::join(strategy_names(), ", "), strategy_names().front()));
  command
      .add_option("--budget-evals", options.budget_evaluations,
                  "Distinct points to measure; a tenth of the space, at least 20")
      ->check(above_zero());
  command
      .add_option("--budget-seconds", options.budget_seconds,
                  "Seconds of searching, before the playoff")
      ->check(above_zero());
  command.add_option("--seed", options.seed, "Seed of everything random in the search")
      ->check(seed_number());
  command.add_option("--min-samples", options.min_samples, "Least samples of every point (3)")
      ->check(above_zero());
  command.add_option("--max-samples", options.max_samples, "Most samples of contenders (9)")
      ->check(above_zero());
  command
      .add_option("--bail-out", options.bail_out,
                  "No more samples of a point this many times slower than the best (2; 0: never)")
      ->check(zero_or_more());
  command
      .add_option("--playoff-samples", options.playoff_samples,
                  "Samples of every finalist, interleaved (11; 0: no playoff)")
      ->check(zero_or_more());
  command.add_option("--passes", options.passes, "exhaustive: over all points, interleaved")
      ->check(above_zero());
  command.add_flag("--record", options.record,
                   "Measure every point alike, for --replay: exhaustive, no bail-out, no playoff");
  command.add_flag("--counters", options.counters,
                   "Count bytes, hits, busy units and stalls of the finalists after the playoff");
  command.add_option("--replay", options.replay, "Search this recording instead of a device")
      ->type_name("JOURNAL");
  command
      .add_option("--hang-timeout", options.hang_timeout,
                  "Seconds after which a silent worker counts as hung")
      ->check(above_zero());
}

// What has no meaning without another option, or beside it.
void relate_options(CLI::App& command) {
  const auto each = [&](std::initializer_list<const char*> names, const auto& relate) {
    for (const char* name : names) relate(*command.get_option(name));
  };
  CLI::Option* pipeline = command.get_option("--pipeline");
  CLI::Option* replay = command.get_option("--replay");
  each({"--objective", "--iterations", "--tolerance", "--feedback", "--hyper", "--alpha",
        "--warm-start"},
       [&](CLI::Option& option) { option.needs(pipeline); });
  each({"--stage", "--benchmark", "--axis", "--tie", "--space", "--record", "--replay", "--passes",
        "--min-samples", "--max-samples", "--bail-out", "--playoff-samples"},
       [&](CLI::Option& option) { option.excludes(pipeline); });
  // The problem and the space are the recording's.
  each({"--stage", "--benchmark", "--axis", "--tie", "--record", "--counters", "--dataset",
        "--data", "--scale", "--format", "--test", "--test-fraction", "--duplicates", "--rank",
        "--lambda", "--part", "--device"},
       [&](CLI::Option& option) { option.excludes(replay); });
  command.get_option("--record")->excludes(command.get_option("--strategy"));
  // Merging measures nothing.
  CLI::Option* merge = command.get_option("--merge");
  for (CLI::Option* option : command.get_options())
    if (option != merge && option->get_name() != "--db" && option->get_name() != "--help" &&
        option != command.get_option("--quiet"))
      option->excludes(merge);
}

}  // namespace

void add_tune_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<TuneCommandOptions>();
  CLI::App* command = app.add_subcommand("tune", "Searches for the fastest configuration");
  add_problem_options(*command, *options);
  add_space_options(*command, *options);
  add_search_options(*command, *options);
  add_pipeline_options(*command, *options);
  add_folder_option(*command, options->folder, "Folder of the result and the journal");
  add_form_option(*command, "--json", options->json, "the result as JSON");
  command->add_option("--journal", options->journal, "Where each measurement is kept")
      ->type_name("F");
  command->add_flag("--resume", options->resume, "Go on from the journal");
  command->add_flag("--fresh", options->fresh, "Start afresh, whatever an unfinished journal holds")
      ->excludes(command->get_option("--resume"))
      ->excludes(command->get_option("--replay"));
  command->add_flag("--dry-run", options->dry_run, "Count the space and estimate the time");
  command
      ->add_option("--merge", options->merged,
                   "Tune nothing: merge these databases into that of --db")
      ->type_name("FILE...");
  add_progress_options(*command, options->progress);
  relate_options(*command);
  command->callback([&result, options] {
    result.action = [options] {
      if (!options->merged.empty()) return tune_merge(*options);
      return options->pipeline ? tune_pipeline(*options) : tune_stage(*options);
    };
  });
}

}  // namespace alsbench
