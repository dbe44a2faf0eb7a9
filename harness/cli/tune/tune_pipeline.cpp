// SPDX-License-Identifier: Apache-2.0
// `alsbench tune pipeline`: whole pipelines of X and Theta.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/cli/algorithm_options.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/finalists.h"
#include "harness/cli/tune/tune_output.h"
#include "harness/cli/validators.h"
#include "harness/data/data_shape.h"
#include "harness/device/device_selection.h"
#include "harness/process/exit_code.h"
#include "harness/process/interrupted.h"
#include "harness/record/provenance.h"
#include "harness/stage/stage_fixture.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/database/tuning_database.h"
#include "harness/tune/pipeline/resumable_trial_runner.h"
#include "harness/tune/pipeline/stage_searches.h"
#include "harness/tune/pipeline/worker_trial_runner.h"

namespace alsbench {
namespace {

struct TunePipelineOptions {
  AlgorithmOptions algorithm;
  std::string objective = "time";
  // The search minimises it; energy is measured after that.
  Goal goal() const { return named<Goal>(objective).value_or(Goal::time); }
  SearchObjective wanted() const {
    return named<SearchObjective>(objective).value_or(SearchObjective::time);
  }
  int iterations = 10;       // of the training runs that judge pipelines
  double tolerance = 0.001;  // of their metric
  bool warm_start = false, leave_out = false;
  LiveTuneOptions live;
};

PipelineTuneOptions pipeline_options(const TunePipelineOptions& options) {
  PipelineTuneOptions tune;
  tune.goal = options.goal();
  tune.iterations = options.iterations;
  tune.tolerance = options.tolerance;
  const auto& [strategy, evaluations, seconds, seed] = options.live.search;
  tune.strategy = strategy.empty() ? strategy_names().front() : strategy;
  tune.seed = seed.value_or(tune.seed);
  tune.stage_evaluations = evaluations.value_or(tune.stage_evaluations);
  tune.budget_seconds = seconds;
  const auto& names = strategy_names();
  if (std::find(names.begin(), names.end(), tune.strategy) == names.end())
    throw UsageError("--strategy: " + unknown_name("strategy", tune.strategy, names));
  return tune;
}

// The searches of a dry run, and how long they and the training runs may take.
int print_plan(const ProblemSpec& problem, const DeviceTraits& traits, const Algorithm& algorithm,
               const PipelineTuneOptions& tune) {
  const DataShapes shapes = data_shapes(problem.data, problem.rank);
  TextTable table({"part", "stage", "points", "valid", "measured at most", "why not"});
  for (const std::string& part : algorithm.parts)
    for (const StageSpace& found :
         stage_spaces(algorithm.pipelines(part), shapes.of(side_of(part)), traits)) {
      const int64_t valid = found.space ? static_cast<int64_t>(found.space->size()) : 0;
      table.add({part, std::string(name_of(found.stage)),
                 std::to_string(found.space ? found.space->total() : 0), std::to_string(valid),
                 std::to_string(std::min(valid, tune.stage_evaluations)), found.reason});
    }
  const std::string limit =
      tune.budget_seconds
          ? fmt::format("{:.0f} s", *tune.budget_seconds)
          : "100 s, or four times what training the exact and the default pipeline takes";
  fmt::print("{}\n{}", table.text(),
             wrapped_to_terminal(
                 fmt::format("{}: then training runs of {} iterations for the accuracy gate, and a "
                             "playoff; the searches and the gate take at most {}\n",
                             problem.name(), tune.iterations, limit)));
  return kExitOk;
}

PipelineTuningContext context_of(TuningWorker& worker, const TuningWorker& trainings,
                                 const TrialRunner& runner) {
  PipelineTuningContext context;
  context.algorithm = &runner.algorithm();
  context.minimised = minimised_text(runner.algorithm(), runner.recipe().hyper);
  context.problem = worker.options().problem;
  for (const std::string& part : runner.algorithm().parts)
    context.shapes.emplace_back(part, runner.shape(part));
  context.traits = runner.traits();
  context.members = static_cast<int>(team_members(trainings.options().device).size());
  context.device = worker.device();
  context.data = worker.data();
  context.provenance = provenance();
  return context;
}

std::string name_for(const Algorithm& algorithm, const ProblemSpec& problem) {
  const std::string data =
      problem.data.dataset.empty() ? problem.data.path.stem().string() : problem.data.dataset;
  const std::string own =
      &algorithm == &default_algorithm() ? "" : fmt::format("{}-", algorithm.name);
  return fmt::format("tune-pipeline-{}{}-rank{}", own, data, problem.rank);
}

ResumedJournal open_journal(const TunePipelineOptions& options,
                            const PipelineTuningContext& context, const PipelineTuneOptions& tune,
                            const std::filesystem::path& path) {
  if (!options.live.resume) return create_pipeline_journal(path, context, tune);
  ResumedJournal journal = resume_pipeline_journal(path, context, tune);
  print_journal_problems(path, journal.content.problems);
  return journal;
}

// Adds to the document and the tables what hardware counters say of the finalists.
void add_counters(const PipelineTuning& tuning, TuningWorker& worker,
                  PipelineTuningDocument& document, std::string& tables) {
  for (size_t i = 0; i < tuning.parts.size(); ++i) {
    auto counted = count_finalists(tuning, tuning.parts[i], worker);
    tables += fmt::format("\n{}\n{}", tuning.parts[i].part, counters_table(counted));
    document.parts[i].counters = std::move(counted);
  }
}

// Throws EnvironmentError where the device tells no energy: before a search, which would be lost.
void require_energy(TrialRunner& runner, TuningWorker& worker) {
  const std::string& part = runner.algorithm().parts.front();
  for (const StageSpace& one :
       stage_spaces(runner.algorithm().pipelines(part), runner.shape(part), runner.traits()))
    if (one.space) return require_energy(*one.space, worker, part);
}

// Adds to the document and the tables the energy of what the playoff left.
void add_energy(const TunePipelineOptions& options, const PipelineTuning& tuning,
                WorkerTrialRunner& runner, PipelineTuningDocument& document, std::string& tables) {
  const std::vector<Recipe> recipes = recipes_for_energy(tuning, runner.recipe());
  document.energy = measure_front(options.wanted(), recipes, [&](const Recipe& recipe) {
    return runner.train(recipe, {.iterations = options.iterations, .energy = true}).energy;
  });
  tables += "\n" + energy_table(*document.energy, recipes.front().text());
}

// The progress of searches and trainings, which are planned as they begin.
class PipelineProgress {
 public:
  PipelineProgress(const ProgressOptions& options, const PipelineTuneOptions& tune)
      : report_("tune", options.chosen()) {
    if (tune.budget_seconds) report_.set_time_limit(*tune.budget_seconds);
  }

  TrialHooks hooks() {
    return {.on_line = [this](const std::string& line) { report_.note(line); },
            .on_search =
                [this](const std::string& part, const SearchSpace& space, TuneOptions& tune) {
                  end_search();
                  search_.emplace(report_, space,
                                  fmt::format("{}/{}", part, name_of(space[0].variant->stage)));
                  search_->listen(tune);
                },
            .on_train =
                [this](const std::string& recipe) {
                  end_search();
                  report_.start(report_.add({recipe, "training", 1}));
                },
            .on_trained = [this](double waited) { report_.finish_started(waited); }};
  }
  void note(const std::string& line) { report_.note(line); }
  void end() { report_.end(); }

 private:
  void end_search() {
    if (search_) search_->end();
    search_.reset();
  }

  ProgressReport report_;
  std::optional<TuneProgress> search_;
};

// The database's answer for this shape or near ones. Says so, or that there is nothing.
std::optional<WarmStart> warm_start_of(const TunePipelineOptions& options,
                                       const TuningDatabase& database,
                                       const PipelineTuningContext& context, TrialRunner& runner) {
  auto near = find_warm_start(database, runner.recipe(), [&](const std::string& part) {
    TunedQuery query;
    query.device = context.traits;
    query.members = context.members;
    query.shape = context.shape(part);
    query.algorithm = context.algorithm;
    query.minimised = context.minimised;
    query.part = part;
    query.goal = options.goal();
    if (options.leave_out)
      for (const auto& [other, shape] : context.shapes) query.hidden.push_back(shape);
    return query;
  });
  runner.say(near ? "begins with " + near->reason
                  : "no nearby shape was tuned; searching the whole space");
  return near;
}

int tune_live(const TunePipelineOptions& options, const PipelineTuneOptions& asked,
              const TuneTargets& targets, TuningWorker& worker, TuningWorker& trainings) {
  const std::filesystem::path database = database_path(options.live, worker.traits());
  PipelineProgress progress(options.live.output.progress, asked);
  WorkerTrialRunner live(worker, trainings,
                         {&algorithm_of(options.algorithm), hyper_of(options.algorithm), {}},
                         progress.hooks());
  const PipelineTuningContext context = context_of(worker, trainings, live);
  PipelineTuneOptions tune = asked;
  if (options.warm_start)
    tune.warm_start = warm_start_of(options, known_database(database), context, live);
  if (options.wanted() != SearchObjective::time) require_energy(live, worker);
  ResumableTrialRunner runner(live, open_journal(options, context, tune, targets.journal));
  try {
    const PipelineTuning tuning = tune_pipelines(runner, tune);
    add_to_database(database, entries_of(tuning, tune, context));
    PipelineTuningDocument document = document_of(tuning, tune, context);
    std::string tables = table_of(tuning, tune);
    if (options.wanted() != SearchObjective::time)
      add_energy(options, tuning, live, document, tables);
    progress.end();
    if (options.live.counters) add_counters(tuning, worker, document, tables);
    write_document(to_json(document), tables, targets);
    runner.finish();
    warn_of_disturbances(worker);
  } catch (const Interrupted&) {
    progress.end();
    print_resume_hint(targets);
    return kExitInterrupted;
  } catch (const EnvironmentError&) {
    progress.end();
    print_resume_hint(targets);
    throw;
  }
  progress.note(fmt::format("kept in {}{}", database.string(),
                            targets.json_on_stdout ? "" : "; results in " + targets.json.string()));
  return kExitOk;
}

int tune_pipeline(const TunePipelineOptions& options) {
  const PipelineTuneOptions tune = pipeline_options(options);
  const TuningWorkerOptions worker_options =
      tuning_worker_options(options.live.problem, /* on_team */ true);
  if (options.wanted() != SearchObjective::time && team_members(worker_options.device).size() > 1)
    throw UsageError("--objective " + options.objective +
                     " measures one device; choose one with --device");
  const Algorithm& algorithm = algorithm_of(options.algorithm);
  hyper_of(options.algorithm);  // is refused before a device is opened
  const TuneTargets targets =
      tune_targets(options.live, name_for(algorithm, worker_options.problem));
  check_files({}, options.live, targets);
  // The stages of a team are measured on its first device, by a worker of its own.
  TuningWorkerOptions stage_options = worker_options;
  stage_options.device = team_members(worker_options.device).front();
  TuningWorker worker(stage_options);
  if (options.live.output.dry_run)
    return print_plan(worker_options.problem, worker.traits(), algorithm, tune);
  if (stage_options.device == worker_options.device)
    return tune_live(options, tune, targets, worker, worker);
  TuningWorker trainings(worker_options);
  return tune_live(options, tune, targets, worker, trainings);
}

void add_pipeline_options(CLI::App& command, TunePipelineOptions& options) {
  add_feedback_options(command, options.algorithm);
  command
      .add_option("--objective", options.objective,
                  "time (of an iteration); time-to-rmse; energy: joules of an iteration of the "
                  "fastest; front: both, none worse in time and energy")
      ->check(CLI::IsMember({"time", "time-to-rmse", "energy", "front"}));
  add_checked(command, "--iterations", options.iterations, above_zero(),
              "Training iterations for the comparison with exact FP32")
      ->capture_default_str();
  add_checked(command, "--tolerance", options.tolerance, zero_or_more(),
              "Maximum relative deviation of the metric, in each iteration from the second on")
      ->capture_default_str();
  CLI::Option* warm = command.add_flag(
      "--warm-start", options.warm_start,
      "Warm start: search around the result for this or a nearby shape, in half the time");
  command
      .add_flag("--leave-out", options.leave_out, "Begin as if this exact shape had not been tuned")
      ->needs(warm);
}

}  // namespace

void add_tune_pipeline_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<TunePipelineOptions>();
  CLI::App* command =
      tune.add_subcommand("pipeline", "Searches for the fastest accurate pipelines of X and Theta");
  add_pipeline_options(*command, *options);
  add_live_options(*command, options->live,
                   {.devices = kOneTeam,
                    .evaluations = "Configurations to measure of each stage (16)",
                    .seconds = "Seconds of searches and gate (100, or four times what training the "
                               "exact and the default pipeline takes)"});
  result.runs(*command, [options] { return tune_pipeline(*options); });
}

}  // namespace alsbench
