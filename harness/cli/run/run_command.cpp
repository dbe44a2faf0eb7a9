// SPDX-License-Identifier: Apache-2.0
// `alsbench run`: runs benchmark suites and writes their results. `alsbench profile`: executes each
// case of a suite once, where Nsight tools record.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/kernels_option.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/run/repeat_command.h"
#include "harness/cli/run/result_files.h"
#include "harness/cli/run/run_options.h"
#include "harness/cli/run/run_progress.h"
#include "harness/cli/run/run_selection.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/tuned.h"
#include "harness/cli/unfinished_run.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/command_line.h"
#include "harness/files/file_plan.h"
#include "harness/judge/comparison.h"
#include "harness/judge/statistics.h"
#include "harness/process/exit_code.h"
#include "harness/record/provenance.h"
#include "harness/record/result.h"
#include "harness/sweep/merge.h"
#include "harness/sweep/run_journal.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/suite/suite.h"
#include "harness/sweep/sweep.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {
namespace {

constexpr uint64_t kOrderSeed = 1;  // of the order of samples

// Where the results and the journal of one suite go.
struct Targets {
  ResultFiles results;
  std::filesystem::path journal;
};

Targets targets_of(const Suite& suite, const RunOptions& options) {
  Targets targets{result_files(options.results, suite.name), {}};
  targets.journal = targets.results.json.string() + ".journal";
  if (options.names_journal()) targets.journal = options.resume;
  return targets;
}

// Tells the plan what a run of the suite reads and writes, `source` being what the command line
// calls it.
void add_files(FilePlan& plan, const std::string& source, const Suite& suite,
               const RunOptions& options) {
  plan.reads(suite_file(source), "SUITE");
  for (const ProblemSpec& problem : suite.problems) {
    check_for_workers(problem.data);
    reads_data(plan, problem.data, "suite " + suite.name);
  }
  reads_database(plan, options.database);
  const Targets targets = targets_of(suite, options);
  writes_results(plan, options.results, targets.results, " of " + suite.name);
  plan.writes(targets.journal,
              options.names_journal() ? "--resume" : "the journal of " + suite.name);
}

void apply_overrides(Suite& suite, const RunOptions& options) {
  if (options.min_samples) suite.sampling.min_samples = *options.min_samples;
  suite.sampling.max_samples = std::max(suite.sampling.max_samples, suite.sampling.min_samples);
  if (options.max_samples) suite.sampling.max_samples = *options.max_samples;
  if (suite.sampling.max_samples < suite.sampling.min_samples)
    throw UsageError(
        fmt::format("--max-samples {} is below the minimum of {}; "
                    "give a lower --min-samples as well",
                    suite.sampling.max_samples, suite.sampling.min_samples));
  if (options.max_noise) suite.sampling.max_noise = *options.max_noise;
  if (options.timeout) suite.sampling.max_seconds = *options.timeout;
  if (options.hang_timeout) suite.timeout_seconds = *options.hang_timeout;
}

int print_plan(const Suite& suite, const std::vector<Case>& cases,
               const std::string& cuda_unavailable) {
  TextTable table({"measurement", "runs here"});
  int64_t measured = 0, trained = 0, skipped = 0;
  for (const Case& c : cases) {
    const std::string objection = early_objection(c, cuda_unavailable);
    const std::string verdict = objection.empty() ? "yes" : "no: " + objection;
    (objection.empty() ? (c.trains() ? trained : measured) : skipped) +=
        c.trains() ? 1 : static_cast<int64_t>(c.modes.size());
    if (c.trains()) table.add({c.name(), verdict});
    for (const CacheMode mode : c.modes) table.add({c.measurement_name(mode), verdict});
  }
  const std::string summary = fmt::format(
      "{}: {} measurements and {} training runs, {} skipped; at most {:.0f} s of sampling "
      "({} to {} samples each), ceilings and data apart\n",
      suite.name, measured, trained, skipped,
      static_cast<double>(measured) * suite.sampling.max_seconds, suite.sampling.min_samples,
      suite.sampling.max_samples);
  fmt::print("{}\n{}", table.text(), wrapped_to_terminal(summary));
  return kExitOk;
}

int print_ncu_commands(const std::string& source, const Suite& suite,
                       const std::vector<Case>& cases, const RunOptions& options) {
  bool any = false;
  for (const Case& c : cases) {
    if (c.backend != Backend::cuda || c.trains()) continue;
    any = true;
    fmt::print("{}\n",
               ncu_command(source, options, c.name(), targets_of(suite, options).results.json));
  }
  if (!any)
    throw UsageError(fmt::format(
        "--ncu: suite {} has no case of a GPU among those that are selected; Nsight Compute "
        "profiles nothing else",
        suite.name));
  return kExitOk;
}

// Name of a device or of a team's devices that cases may run on, or nothing where one is not there.
std::optional<std::string> device_name(const std::string& id, int cuda_devices) {
  if (!is_of_cpu(id))
    for (const std::string& member : team_members(id))
      if (std::stoi(member) >= cuda_devices) return std::nullopt;
  return local_device_traits(id).name;
}

SweepOptions sweep_options(const Suite& suite, const RunOptions& options,
                           const std::string& cuda_unavailable) {
  SweepOptions sweep;
  sweep.worker_command = worker_command();
  sweep.sampling = suite.sampling;
  sweep.timeout_seconds = suite.timeout_seconds;
  sweep.seed = options.seed.value_or(kOrderSeed);
  sweep.profile = options.profile;
  sweep.counters = options.counters;
  sweep.energy = options.energy;
  sweep.cuda_unavailable = cuda_unavailable;
  sweep.interrupted = &catch_interrupts();
  return sweep;
}

// A suite with what the command line selects of it.
struct RunPlan {
  std::string source;  // as the command line names it
  Suite suite;
  std::vector<Case> cases;
  ShardRecord shard;
  int cuda_devices = 0;
  std::string cuda_unavailable;
};

RunPlan plan_of(const std::string& source, const RunOptions& options) {
  RunPlan plan{source, suite_on_ratings(source, options), {}, {}, 0, ""};
  apply_overrides(plan.suite, options);
  plan.cuda_devices = cuda_device_count(&plan.cuda_unavailable);
  if (plan.cuda_devices > 0) plan.cuda_unavailable.clear();
  const Selection selection = selection_of(options, plan.cuda_devices);
  ShardCases shard_cases =
      cases_of_shard(expand(plan.suite, selection), selection.shard, selection.shards);
  if (shard_cases.all_cases == 0)
    throw UsageError(
        fmt::format("suite {}: --filter, --benchmark, --axis and --device leave no case; "
                    "--dry-run without them lists all",
                    plan.suite.name));
  if (shard_cases.cases.empty())
    throw UsageError(
        fmt::format("--shard {}: is empty, because the cases of suite {} are measured in {} groups "
                    "that stay together; use no more shards than that",
                    options.shard, plan.suite.name, shard_cases.all_groups));
  plan.cases = std::move(shard_cases.cases);
  refuse_oversized(plan.cases, plan.cuda_unavailable);
  plan.shard = {
      selection.shard,       selection.shards,     static_cast<int64_t>(plan.cases.size()), 0,
      shard_cases.all_cases, shard_cases.all_names};
  plan.shard.ceilings = count_ceilings(plan.suite, plan.cases,
                                       sweep_options(plan.suite, options, plan.cuda_unavailable));
  return plan;
}

// A result of several launches is mostly one side of a comparison. It may also be one of several
// files that make a side, so it is measured all the same.
void warn_of_few_launches(const RunPlan& plan, const RunOptions& options) {
  if (options.launches == 1) return;
  const int64_t cases = comparable_cases(plan.cases, plan.cuda_unavailable);
  const int64_t needed = launches_for_significance(Rules().alpha, cases);
  if (cases == 0 || options.launches >= needed) return;
  print_message(
      "alsbench: --launches {}: {}, or a comparison with this result finds no slowdown of "
      "one case\n",
      options.launches, launches_text(plan.suite.name, cases, needed));
}

RunHead head_of(const RunPlan& plan, const RunOptions& options) {
  const Suite& suite = plan.suite;
  RunHead head;
  head.suite = suite.name;
  head.description = suite.description;
  head.answer = suite.answer;
  head.shard = plan.shard;
  head.provenance = provenance();
  head.provenance.suite_hash = suite.hash;
  head.provenance.seed = options.seed.value_or(kOrderSeed);
  RunSelection& selection = head.selection;
  selection.suite_hash = suite.hash;
  selection.scale = options.scale;
  selection.seed = options.seed;
  for (const std::string& id : devices_of(options, plan.cuda_devices))
    selection.devices.emplace_back(id, device_name(id, plan.cuda_devices));
  selection.sampling = suite.sampling;
  selection.launches = options.launches;
  selection.timeout_seconds = suite.timeout_seconds;
  selection.profile = options.profile;
  selection.counters = options.counters;
  selection.energy = options.energy;
  selection.build = head.provenance.build;
  selection.kernels = head.provenance.kernels;
  return head;
}

RunJournal open_journal(const RunHead& head, const RunOptions& options, const Targets& targets) {
  if (options.resume.empty()) return RunJournal::create(targets.journal, head);
  RunJournal journal = RunJournal::resume(targets.journal, head);
  for (const std::string& problem : journal.kept().problems())
    print_message("alsbench: {}: {}; skipped, its case runs again\n", targets.journal.string(),
                  problem);
  return journal;
}

// Records of another selection, which the journal may hold too, have no number and come last.
ResultDocument result_of(const RunRecords& kept, const std::vector<Case>& cases) {
  std::map<std::string, std::optional<int64_t>> numbers;
  for (const Case& c : cases) numbers[c.name()] = c.number;
  ResultDocument document = kept.document();
  for (CaseRecord& record : document.cases) record.number = numbers[record.name];
  finish_document(document);
  return document;
}

int run_suite(const RunPlan& plan, const RunOptions& options) {
  const auto& [source, suite, cases, shard, cuda_devices, cuda_unavailable] = plan;
  if (!options.progress.quiet) print_tuned(cases);
  if (options.ncu) return print_ncu_commands(source, suite, cases, options);
  if (options.dry_run) return print_plan(suite, cases, cuda_unavailable);
  const Targets targets = targets_of(suite, options);
  RunJournal journal = open_journal(head_of(plan, options), options, targets);
  const Retry retry = options.retry_failed ? Retry::failed : Retry::none;
  SweepOptions sweep_settings = sweep_options(suite, options, cuda_unavailable);
  RunProgress progress(options.progress.chosen(), suite.sampling, options.profile,
                       options.counters);
  sweep_settings.on_event = [&](const SweepEvent& event) { progress.on_event(event); };
  sweep_settings.on_note = [&](const std::string& line) { progress.note(line); };
  Sweep* running = nullptr;
  int64_t launch = 0;
  sweep_settings.on_record = [&](const CaseRecord& record) {
    for (const auto& [id, device] : running->devices()) journal.add_device(device);
    CaseRecord kept = record;
    add_repeat_command(kept, cases, source, options, targets.results.json);
    journal.add_record(kept, launch);
    if (record.outcome != Outcome::ok) progress.drop(record.name);
  };
  Sweep sweep(suite, std::move(sweep_settings));
  running = &sweep;
  const auto print_resume_hint = [&](const char* what) {
    progress.end();
    print_message("\n{}; {} cases are kept in {}. To resume:\n  {}\n", what, journal.kept().size(),
                  targets.journal.string(), resume_command(process_command_line()));
  };
  try {
    for (int64_t planned = 0; planned < options.launches; ++planned)
      for (const Case& c : sweep.planned(
               cases, [&](const Case& one) { return journal.known(one, retry, planned); }))
        progress.plan(c, planned);
    for (; launch < options.launches; ++launch) {
      if (options.launches > 1)
        progress.note(fmt::format("launch {} of {}", launch + 1, options.launches));
      progress.begin_launch(launch);
      sweep.run(
          cases, [&](const Case& c) { return journal.known(c, retry, launch); }, launch);
    }
  } catch (const Interrupted&) {
    print_resume_hint("interrupted");
    return kExitInterrupted;
  } catch (const EnvironmentError&) {
    print_resume_hint("stopped");
    throw;
  }
  progress.end();
  const ResultDocument document = result_of(journal.kept(), cases);
  write_results(document, targets.results);
  journal.finish();
  return verdict_of(document.cases, targets.results, options.progress.quiet);
}

// Returns an ExitCode. Throws UsageError before any work.
int run_suites(RunOptions options) {
  if (options.suites.empty() && options.names_ratings()) options.suites = {"quick"};
  if (options.suites.empty())
    throw UsageError(
        "name a suite (alsbench list suites), or ratings for the suite quick: --data PATH or "
        "--dataset NAME");
  const bool one_target = !options.results.json.empty() || options.names_journal() ||
                          !options.results.csv.empty() || !options.results.md.empty();
  if (options.suites.size() > 1 && one_target)
    throw UsageError(
        "--json, --csv, --md and a journal's name are for one suite; use --out for several");
  std::vector<RunPlan> plans;  // all errors before any work
  for (const std::string& source : options.suites) {
    plans.push_back(plan_of(source, options));
    for (size_t i = 0; i + 1 < plans.size(); ++i)
      if (plans[i].suite.name == plans.back().suite.name)
        throw UsageError(
            fmt::format("suites {} and {} are both named '{}', so one would overwrite the other's "
                        "results; run them separately, each with its own --out",
                        plans[i].source, source, plans[i].suite.name));
  }
  for (const RunPlan& plan : plans) warn_of_few_launches(plan, options);
  FilePlan files;
  for (const RunPlan& plan : plans) add_files(files, plan.source, plan.suite, options);
  files.check();
  if (!options.fresh && !options.dry_run && !options.ncu && options.resume.empty())
    for (const RunPlan& plan : plans)
      protect_unfinished_journal(targets_of(plan.suite, options).journal);
  int worst = kExitOk;
  for (const RunPlan& plan : plans) {
    const int code = run_suite(plan, options);
    if (code == kExitInterrupted) return code;
    worst = std::max(worst, code);
  }
  return worst;
}

// Suites and those of their cases, on which devices, where results go, and how to go on from a
// journal.
void add_suites_options(CLI::App& command, RunOptions& options) {
  command.add_option(
      "suite", options.suites,
      "Names of shipped suites, or JSON files (default with --data or --dataset: quick)");
  add_case_options(command, options);
  command.add_option("-d,--device,--devices", options.device,
                     fmt::format("{}(default: the CPU and the first GPU)", kSeveralDevices));
  add_result_options(command, options.results);
  CLI::Option* resume =
      command
          .add_option("--resume", options.resume,
                      "Run the cases that this journal lacks (default: the run's own journal)")
          ->expected(0, 1)
          ->default_str(kOwnJournal)
          ->type_name("JOURNAL");
  command.add_flag("--fresh", options.fresh, "Start over, ignoring an unfinished journal")
      ->excludes(resume);
  command
      .add_flag("--retry-failed", options.retry_failed,
                "With --resume: run failed cases again, including hung ones")
      ->needs(resume);
  command.add_flag("--dry-run", options.dry_run,
                   "List the cases that would run, and why others would not");
  add_progress_options(command, options.progress);
}

}  // namespace

void add_run_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run benchmark suites and write their results");
  add_suites_options(*command, *options);
  add_sampling_options(*command, *options);
  command->add_flag("--counters", options->counters,
                    "Read hardware counters (bytes, hits, utilisation, stalls) of every case in "
                    "separate executions");
  command->add_flag("--energy", options->energy,
                    "Measure the energy of an iteration of every training, in iterations of their "
                    "own");
  command->add_option("--shard", options->shard, "i/n: run the i-th of n parts, counted from 0");
  result.runs(*command, [options] { return run_suites(*options); });
}

void add_profile_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RunOptions>();
  options->profile = true;
  CLI::App* command = app.add_subcommand(
      "profile",
      "Verifies each case of a suite and executes it once between cudaProfilerStart and Stop");
  add_suites_options(*command, *options);
  command->add_flag("--ncu", options->ncu,
                    "Print the command line of Nsight Compute for each case, and run nothing");
  result.runs(*command, [options] { return run_suites(*options); });
}

}  // namespace alsbench
