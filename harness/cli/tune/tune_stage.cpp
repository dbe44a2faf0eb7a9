// SPDX-License-Identifier: Apache-2.0
// `alsbench tune --stage`: one stage, live or from a recording.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/message.h"
#include "harness/algorithms/algorithms.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/standard_streams.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/finalist_counters.h"
#include "harness/cli/tune/tune_command.h"
#include "harness/process/exit_code.h"
#include "harness/record/provenance.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/database/tuning_database.h"
#include "harness/tune/pipeline/stage_entry.h"
#include "harness/tune/search/replay.h"
#include "harness/tune/search/tuning_document.h"
#include "harness/tune/stage/live_objective.h"

namespace alsbench {
namespace {

std::string name_for(const TuneCommandOptions& options) {
  const std::string data =
      options.data.dataset.empty() ? options.data.path.stem().string() : options.data.dataset;
  return fmt::format("tune-{}-{}-{}-rank{}", options.stage, options.side, data, options.rank);
}

// What a search of a space takes from the options of the command.
void describe(TuningSearch& search, const SearchSpace& space, const TuneOptions& tune) {
  search.space = space.summary();
  search.sampling = tune.sampling;
  search.strategy = tune.strategy;
  search.passes = tune.strategy_options.passes;
  search.seed = tune.strategy_options.seed;
}

TuningHead head_of(const TuneCommandOptions& options, TuningWorker& worker,
                   const SearchSpace& space, const TuneOptions& tune) {
  const std::string& part = options.side;
  TuningHead head;
  head.device = worker.device();
  head.shape = worker.shape(part);
  head.provenance = provenance();
  TuningSearch& search = head.search;
  search.stage = options.stage;
  search.backend = worker.backend();
  search.part = part;
  search.device = head.device.traits.name;
  search.problem = worker.options().problem;
  search.data = worker.data();
  describe(search, space, tune);
  return head;
}

TuningDocument document_of(const TuningHead& head, const TuneOptions& tune,
                           const TuningResult& result, const SearchSpace& space,
                           const Objective& objective) {
  const std::optional<double> share = objective.share_of_roof(result.best, result.best_seconds);
  TuningDocument document;
  document.provenance = head.provenance;
  document.device = head.device;
  document.shape = head.shape;
  document.search = head.search;
  document.budget = tune.budget;
  document.result.result = record_of(result, space);
  document.result.share_of_roof = share.value_or(std::numeric_limits<double>::quiet_NaN());
  return document;
}

void print_space(const SearchSpace& space) {
  fmt::print("{} points, {} valid, {} pruned\n", space.total(), space.size(),
             space.total() - static_cast<int64_t>(space.size()));
  constexpr size_t kMostObjections = 8;
  const auto& pruned = space.pruned();
  for (size_t i = 0; i < std::min(pruned.size(), kMostObjections); ++i)
    fmt::print("{}", fitting(fmt::format("  {:6}  {}\n", pruned[i].second, pruned[i].first), 10));
  TextTable table({"dimension", "values"});
  for (const Dimension& dimension : space.dimensions())
    table.add({dimension.name, fmt::format("{}", fmt::join(dimension.values, ", "))});
  fmt::print("\n{}\n{}", table.text(),
             fitting(fmt::format("default: {}\n", space[space.default_point()].text())));
}

// Keeps the choice in the tuning database; a recording is no choice.
void keep(const TuneCommandOptions& options, const TuningHead& head, const TuningResult& result,
          const SearchSpace& space, TuningWorker& worker) {
  const std::filesystem::path database = database_path(options, worker.traits());
  PipelineTuningContext context;
  context.problem = worker.options().problem;
  for (const std::string& part : default_algorithm().parts)
    context.shapes.emplace_back(part, worker.shape(part));
  context.traits = worker.traits();
  context.device = head.device;
  context.provenance = head.provenance;
  const std::string& part = head.search.part;
  const SpaceFile file = space_file_of(options);
  const Budget budget = tune_options(options, file, space).budget;
  TunedEntry entry = stage_entry(result, space, budget, part, context);
  if (!options.variants.empty()) entry.what += "/" + space[result.best].variant_name;
  add_to_database(database, {entry});
  print_message("kept in {}\n", database.string());
}

// What the tuning database knows for this shape, of the stage and of each of its variants: measured
// beside the default, so that no choice replaces one that it was not compared with.
std::vector<size_t> known_points(const std::filesystem::path& database, const SearchSpace& space,
                                 TuningWorker& worker, const std::string& part) {
  const TuningDatabase known = known_database(database);
  const std::string stage(name_of(space[0].variant->stage));
  std::set<std::string> entries{stage};
  for (const SearchPoint& point : space.points()) entries.insert(stage + "/" + point.variant_name);
  TunedQuery query;
  query.device = worker.traits();
  query.shape = worker.shape(part);
  query.part = part;
  std::vector<size_t> points;
  for (const std::string& what : entries) {
    query.what = what;
    const Served served = known.look_up(query);
    if (!served.entry) continue;
    const auto& [variant, config] = served.steps.front();
    const size_t point = space.find(SearchPoint{variant, variant->name, config, {}}.text());
    if (point < space.size()) points.push_back(point);
  }
  return points;
}

// The time of the default, measured, for every evaluation there may be.
int dry_run(const SearchSpace& space, TuningWorker& worker, const std::string& part,
            const TuneOptions& tune) {
  print_space(space);
  CompileAhead compiler(worker.options().command);
  LiveObjective objective(space, worker, compiler, part);
  const Evaluation one =
      objective.measure(space.default_point(), tune.sampling.estimate_samples, 0);
  const double planned = static_cast<double>(
      std::min<int64_t>(tune.budget.evaluations, static_cast<int64_t>(space.size())) *
      tune.strategy_options.passes);
  const double each = one.prepare_seconds + one.measure_seconds;
  const double eta = std::min(planned * each, tune.budget.seconds);
  if (!one.ok())
    fmt::print("the default failed ({}: {}): no estimate of the time\n", name_of(one.outcome),
               one.detail);
  else
    fmt::print("{}",
               fitting(fmt::format(
                   "{}: {:.0f} evaluations at {:.3g} s (the default, measured: {} samples of "
                   "{:.3g} ms): about {:.0f} s\n",
                   tune.strategy, planned, each, one.seconds.size(), one.median() * 1e3, eta)));
  return kExitOk;
}

void print_failures(const TuningResult& result, const SearchSpace& space) {
  for (const Evaluation& evaluation : result.points)
    if (evaluation.outcome != Outcome::ok)
      print_message("  {}: {}: {}\n", name_of(evaluation.outcome), space[evaluation.point].text(),
                    evaluation.detail.substr(0, evaluation.detail.find('\n')));
}

void print_summary(const TuningResult& result, const SearchSpace& space) {
  const double total = std::max(result.elapsed_seconds, 1e-9);
  print_message(
      "{} of {} points in {:.1f} s: measuring {:.0f} %, preparing {:.0f} %, waiting for the "
      "compiler {:.0f} %\n",
      result.evaluations, space.size(), result.elapsed_seconds,
      100 * result.measure_seconds / total, 100 * result.prepare_seconds / total,
      100 * result.wait_seconds / total);
}

int finish(const TuningDocument& document, const TuningResult& result, const SearchSpace& space,
           const std::string& tables, const TuneCommandOptions& options,
           const TuneTargets& targets) {
  write_json(targets.json_on_stdout ? "stdout" : targets.json.string(), to_json(document));
  if (!targets.json_on_stdout) fmt::print("{}", tables);
  flush_output();
  if (!options.progress.quiet) {
    print_failures(result, space);
    print_summary(result, space);
    if (!targets.json_on_stdout) print_message("results in {}\n", targets.json.string());
  }
  if (result.found) return kExitOk;
  print_message("alsbench: no point of the space could be measured\n");
  return kExitCasesFailed;
}

int replay(const TuneCommandOptions& options) {
  const TuneTargets targets =
      tune_targets(options, options.replay.stem().stem().string() + ".replay");
  check_files(options, targets);
  const SpaceFile file = space_file_of(options);
  if (!file.axes.empty() || !file.tied.empty() || !file.conditions.empty())
    throw UsageError(
        fmt::format("{}: its ConfigurationSpace excludes --replay, which searches the "
                    "space that was recorded",
                    options.space_file));
  const Recording recording = read_recording(options.replay);
  for (const std::string& problem : recording.problems)
    print_message("alsbench: {}: {}; skipped\n", options.replay.string(), problem);
  if (options.dry_run) {
    print_space(recording.space);
    return kExitOk;
  }
  TuneOptions tune = tune_options(options, file, recording.space);
  ReplayObjective objective(recording);
  ProgressReport report("tune", options.progress.chosen());
  TuneProgress progress(report, recording.space, "replay");
  progress.listen(tune);
  const TuningResult result = alsbench::tune(recording.space, objective, tune);
  progress.end();
  report.end();
  TuningHead head = recording.head;
  head.provenance = provenance();
  describe(head.search, recording.space, tune);
  TuningDocument document = document_of(head, tune, result, recording.space, objective);
  document.replay_of = {options.replay.filename().string(), recording.head.provenance};
  return finish(document, result, recording.space, tuning_table(result, recording.space, objective),
                options, targets);
}

TuningJournal open_journal(const TuneCommandOptions& options, const TuningHead& head,
                           const SearchSpace& space, const std::filesystem::path& path) {
  if (!options.resume) return TuningJournal::create(path, head);
  TuningJournal journal = TuningJournal::resume(path, head, space);
  print_journal_problems(path, journal.problems());
  return journal;
}

// A recording that its budget ended is gone on with later.
bool is_whole(const TuningResult& result, const SearchSpace& space) {
  return result.stop_reason != "seconds" &&
         result.evaluations == static_cast<int64_t>(space.size());
}

int live(const TuneCommandOptions& options) {
  const std::string& part = options.side;
  const TuneTargets targets = tune_targets(options, name_for(options));
  check_files(options, targets);
  const SpaceFile file = space_file_of(options);
  TuningWorker worker(tuning_worker_options(options, /* on_team */ false));
  const SpaceRequest request = space_request(options, file, worker.backend());
  check_request(request);  // before the ratings are loaded
  const SearchSpace space(request, worker.shape(part), worker.traits());
  TuneOptions tune = tune_options(options, file, space);
  make_strategy(tune.strategy, space, tune.strategy_options);  // its name, before any work
  if (options.dry_run) return dry_run(space, worker, part, tune);
  const auto database = database_path(options, worker.traits());  // before anything is measured
  if (!options.record) tune.first = known_points(database, space, worker, part);
  const TuningHead head = head_of(options, worker, space, tune);
  TuningJournal journal = open_journal(options, head, space, targets.journal);
  CompileAhead compiler(worker.options().command);
  LiveObjective objective(space, worker, compiler, part);
  ProgressReport report("tune", options.progress.chosen());
  TuneProgress progress(report, space, options.stage);
  progress.listen(tune);
  if (std::isfinite(tune.budget.seconds)) report.at_most(tune.budget.seconds);
  tune.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
    journal.add(evaluation, space, playoff);
  };
  try {
    objective.measure_roofs();
    const TuningResult result = alsbench::tune(space, objective, tune, journal.known());
    progress.end();
    report.end();
    warn_of_disturbances(worker);
    if (result.found && !options.record) keep(options, head, result, space, worker);
    TuningDocument document = document_of(head, tune, result, space, objective);
    std::string tables = tuning_table(result, space, objective);
    if (options.counters) {
      document.result.counters = count_finalists(result, space, worker, part);
      tables += "\n" + counters_table(*document.result.counters);
    }
    const int code = finish(document, result, space, tables, options, targets);
    if (!options.record || is_whole(result, space)) journal.finish();
    return code;
  } catch (const Interrupted&) {
    report.end();
    print_how_to_resume(targets);
    return kExitInterrupted;
  } catch (const EnvironmentError&) {
    report.end();
    print_how_to_resume(targets);
    throw;
  }
}

}  // namespace

int tune_stage(const TuneCommandOptions& options) {
  return options.replay.empty() ? live(options) : replay(options);
}

}  // namespace alsbench
