// `alsbench tune --pipeline`: whole pipelines of X and Theta.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "harness/cli/exit_code.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/tune_command.h"
#include "harness/data/data_shape.h"
#include "harness/files/command_line.h"
#include "harness/record/provenance.h"
#include "harness/tune/pipeline_record.h"
#include "harness/tune/stage_searches.h"
#include "harness/tune/tuning_database.h"
#include "harness/tune/worker_lab.h"
#include "variants/error.h"

namespace alsbench {
namespace {

// What is about one search, or one that can be taken up again.
void refuse_stage_options(const TuneCommandOptions& options) {
  const auto refuse = [](bool given, const char* name) {
    if (given) throw UsageError(fmt::format("{} has no meaning beside --pipeline", name));
  };
  refuse(!options.stage.empty(), "--stage");
  refuse(!options.variants.empty(), "--benchmark");
  refuse(!options.axes.empty(), "--axis");
  refuse(!options.tied.empty(), "--tie");
  refuse(!options.space_file.empty(), "--space");
  refuse(!options.replay.empty(), "--replay");
  refuse(options.record, "--record");
  refuse(options.resume, "--resume");
  refuse(!options.journal.empty(), "--journal");
}

PipelineTuneOptions pipeline_options(const TuneCommandOptions& options) {
  PipelineTuneOptions tune;
  tune.goal = *goal_named(options.objective);
  tune.iterations = options.iterations;
  tune.tolerance = options.tolerance;
  tune.strategy = options.strategy.empty() ? strategy_names().front() : options.strategy;
  tune.seed = options.seed.value_or(tune.seed);
  tune.stage_evaluations = options.budget_evaluations.value_or(tune.stage_evaluations);
  tune.budget_seconds = options.budget_seconds.value_or(tune.budget_seconds);
  const auto& names = strategy_names();
  if (std::find(names.begin(), names.end(), tune.strategy) == names.end())
    throw UsageError("--strategy: " + unknown_name("strategy", tune.strategy, names));
  return tune;
}

// What would be searched, and how long the searches and training runs may take.
int print_plan(const ProblemSpec& problem, const DeviceTraits& traits,
               const PipelineTuneOptions& tune) {
  const DataShapes shapes = data_shapes(problem.data, problem.rank);
  TextTable table({"side", "stage", "points", "valid", "measured at most", "why not"});
  for (const Side side : {Side::x, Side::theta})
    for (const StagePlan& plan : plan_stages(shapes.of(side), traits, tune))
      table.add({std::string(name_of(side)), std::string(name_of(plan.stage)),
                 std::to_string(plan.points), std::to_string(plan.valid),
                 std::to_string(plan.evaluations), plan.reason});
  fmt::print(
      "{}\n{}: then training runs of {} iterations that decide what is accurate, and a playoff; "
      "the searches and the gate take at most {:.0f} s\n",
      table.text(), problem.name(), tune.iterations, tune.budget_seconds);
  return kExitOk;
}

PipelineTuningContext context_of(TuningWorker& worker, const WorkerLab& lab) {
  PipelineTuningContext context;
  context.problem = worker.options().problem;
  context.x_shape = lab.shape(Side::x);
  context.theta_shape = lab.shape(Side::theta);
  context.traits = lab.traits();
  context.device = worker.device();
  context.data = worker.data();
  context.provenance = provenance(process_command_line());
  return context;
}

std::string document_path(const TuneCommandOptions& options, const ProblemSpec& problem) {
  if (!options.json.empty()) return options.json.string();
  const std::string data =
      problem.data.dataset.empty() ? problem.data.path.stem().string() : problem.data.dataset;
  return fmt::format("results/local/tune-pipeline-{}-rank{}.json", data, problem.rank);
}

}  // namespace

int tune_pipeline(const TuneCommandOptions& options) {
  refuse_stage_options(options);
  const PipelineTuneOptions tune = pipeline_options(options);
  TuningWorker worker(tuning_worker_options(options));
  const ProblemSpec& problem = worker.options().problem;
  if (options.dry_run) return print_plan(problem, worker.traits(), tune);
  const std::filesystem::path database = database_path(options, worker.traits());
  const auto say = [&](const std::string& line) {
    if (!options.quiet) fmt::print(stderr, "{}\n", line);
  };
  try {
    WorkerLab lab(worker, say);
    const PipelineTuning tuning = tune_pipelines(lab, tune);
    const PipelineTuningContext context = context_of(worker, lab);
    add_to_database(database, entries_of(tuning, tune, context));
    const std::string document = document_path(options, problem);
    write_json(document, to_json(tuning, tune, context));
    if (document != "stdout") fmt::print("{}", table_of(tuning, tune));
    std::fflush(stdout);
    say(fmt::format("kept in {}{}", database.string(),
                    document == "stdout" ? "" : "; results in " + document));
  } catch (const Interrupted&) {
    say("\ninterrupted; nothing was kept");
    return kExitInterrupted;
  }
  return kExitOk;
}

}  // namespace alsbench
