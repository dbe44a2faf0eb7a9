// SPDX-License-Identifier: Apache-2.0
// `alsbench tune stage`: the configurations of one stage, on a device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/message.h"
#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/finalists.h"
#include "harness/cli/tune/stage_search.h"
#include "harness/cli/tune/stage_shapes.h"
#include "harness/cli/tune/tune_output.h"
#include "harness/cli/unfinished_run.h"
#include "harness/custom/memory.h"
#include "harness/files/command_line.h"
#include "harness/process/exit_code.h"
#include "harness/process/interrupted.h"
#include "harness/record/provenance.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/database/tuning_database.h"
#include "harness/tune/pipeline/pipeline_record.h"
#include "harness/tune/search/tuning_document.h"
#include "harness/tune/search/tuning_journal.h"
#include "harness/tune/stage/live_objective.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

struct TuneStageOptions {
  std::string stage, side = "x";
  std::vector<std::string> axes, tied, variants;
  SpaceSearchOptions space;
  LiveTuneOptions live;
  std::vector<std::string> also;  // further problems
  std::string objective = "time";
  bool record = false;

  SearchObjective wanted() const { return *named<SearchObjective>(objective); }
};

Stage stage_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Stage stage : all_stages())
    if (!stage->ceiling) names.emplace_back(name_of(stage));
  const auto stage = stage_named(name);
  if (!stage || (*stage)->ceiling) throw UsageError(unknown_name("stage", name, names));
  return *stage;
}

bool is_of_sizes(Stage stage) { return !stage->problems.empty(); }

// That of the command line; of a stage with sizes, those that it leaves out are of the first
// problem.
TuneProblemOptions problem_of(const TuneStageOptions& options) {
  TuneProblemOptions problem = options.live.problem;
  const Stage stage = stage_of(options.stage);
  if (!is_of_sizes(stage)) return problem;
  refuse_ratings(problem.data, options.stage);
  if (problem.rank > 0 || problem.lambda)
    throw UsageError(
        fmt::format("--{}: has no effect on the custom kernel '{}', which has sizes; "
                    "leave it out",
                    problem.rank > 0 ? "rank" : "lambda", options.stage));
  problem.data.sizes = with_sizes(stage->problems.front(), problem.data.sizes);
  return problem;
}

// Those of --also: the first problem with what they change in it.
std::vector<TuneProblemOptions> further_problems(const TuneStageOptions& options) {
  std::vector<TuneProblemOptions> list;
  for (const std::string& text : options.also)
    list.push_back(changed_problem(problem_of(options), text));
  return list;
}

void refuse_oversized(const TuneStageOptions& options, const TuneProblemOptions& problem,
                      const DeviceTraits& traits, const char* option = "--size") {
  const Stage stage = stage_of(options.stage);
  if (const auto objection = custom::memory_objection(stage, problem.data.sizes, traits, option))
    throw UsageError(*objection);
}

std::vector<const Variant*> variants_of(const TuneStageOptions& options, Backend backend) {
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
    throw UsageError(fmt::format("stage {}: has no {} variant; see alsbench list variants",
                                 options.stage, name_of(backend)));
  return list;
}

SpaceRequest space_request(const TuneStageOptions& options, const SpaceFile& file,
                           Backend backend) {
  SpaceRequest request;
  request.variants = variants_of(options, backend);
  check_space_file(file, request.variants, options.space.space_file);
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

std::string name_for(const TuneStageOptions& options) {
  const auto& [data, device, rank, lambda, hang_timeout] = options.live.problem;
  if (is_of_sizes(stage_of(options.stage))) return fmt::format("tune-{}", options.stage);
  const std::string name = data.dataset.empty() ? data.path.stem().string() : data.dataset;
  return fmt::format("tune-{}-{}-{}-rank{}", options.stage, options.side, name, rank);
}

TuningHead head_of(const TuneStageOptions& options, TuningWorker& worker, const SearchSpace& space,
                   const TuneOptions& tune) {
  const std::string& part = options.side;
  TuningHead head;
  head.device = worker.device();
  head.shape = worker.shape(part);
  head.provenance = provenance();
  TuningSearch& search = head.search;
  search.stage = options.stage;
  search.backend = worker.backend();
  search.part = part;
  search.device = head.device->traits.name;
  search.problem = worker.options().problem;
  search.data = worker.data();
  search.kernels = head.provenance->kernels;
  set_search(search, space, tune);
  return head;
}

// Whether the choice is one for the tuning database: no recording is, and none for several shapes.
bool is_kept(const TuneStageOptions& options, const TuningResult& result) {
  return result.found && !options.record && options.also.empty();
}

// Keeps the choice in the tuning database.
void keep(const TuneStageOptions& options, const TuningHead& head, const TuningResult& result,
          const SearchSpace& space, TuningWorker& worker) {
  const std::filesystem::path database = database_path(options.live, worker.traits());
  PipelineTuningContext context;
  context.problem = worker.options().problem;
  for (const std::string& part : default_algorithm().parts)
    context.shapes.emplace_back(part, worker.shape(part));
  context.traits = worker.traits();
  context.device = *head.device;
  context.provenance = *head.provenance;
  const std::string& part = head.search.part;
  const SpaceFile file = space_file_of(options.space);
  const Budget budget = tune_options(options.live.search, options.space, file, space).budget;
  TunedEntry entry = stage_entry(result, space, budget, part, context);
  if (!options.variants.empty()) entry.what += "/" + space[result.best].variant_name;
  add_to_database(database, {entry});
  print_message("kept in {}\n", database.string());
}

// The tuning database's answers for this shape, of the stage and of each of its variants: measured
// next to the default, so no choice replaces one that it was not compared with.
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
               wrapped_to_terminal(fmt::format(
                   "{}: {:.0f} evaluations at {:.3g} s (the default, measured: {} samples of "
                   "{:.3g} ms): about {:.0f} s\n",
                   tune.strategy, planned, each, one.seconds.size(), one.median() * 1e3, eta)));
  return kExitOk;
}

TuningJournal open_journal(const TuneStageOptions& options, const TuningHead& head,
                           const SearchSpace& space, const std::filesystem::path& path) {
  if (!options.live.resume) return TuningJournal::create(path, head);
  TuningJournal journal = TuningJournal::resume(path, head, space);
  print_journal_problems(path, journal.problems());
  return journal;
}

// The budget that ended a recording before all points were measured; "" where none did.
std::string budget_that_ended(const TuningResult& result, const SearchSpace& space) {
  if (result.stop_reason == "seconds") return "its time budget";
  return result.evaluations < static_cast<int64_t>(space.size())
             ? "its number of evaluations (raise --budget-evals)"
             : "";
}

// A recording that its budget ended is continued later.
void end_journal(TuningJournal& journal, const std::string& budget,
                 const TuneStageOptions& options) {
  if (budget.empty()) return journal.finish();
  journal.end_part(budget);
  if (options.live.output.progress.quiet) return;
  print_message("{} ended the recording. To continue it:\n  {}\n", budget,
                resume_command(process_command_line()));
}

// A search that is over.
struct Searched {
  const TuningResult& result;
  const SearchSpace& space;
  TuningWorker& worker;
  const StageShapes& shapes;
};

// Adds to the document all that follows the search, and returns its tables.
std::string add_more(const TuneStageOptions& options, const Searched& searched,
                     TuningDocument& document) {
  const auto& [result, space, worker, shapes] = searched;
  std::string tables;
  const std::string& part = options.side;
  if (options.live.counters) {
    document.result.counters = count_finalists(result, space, worker, part);
    tables += "\n" + counters_table(*document.result.counters);
  }
  const std::string fallback = space[space.default_point()].text();
  if (result.found && options.wanted() != SearchObjective::time) {
    document.result.energy = measure_front(options.wanted(), result, space, worker, part);
    tables += "\n" + energy_table(*document.result.energy, fallback);
  }
  if (result.found && shapes.joint()) {
    document.result.portability = portability_of(platforms_of(result, space, shapes.names()),
                                                 fallback, space[result.best].text());
    tables += "\n" + portability_table(*document.result.portability);
  }
  return tables;
}

int tune_stage(const TuneStageOptions& options) {
  const std::string& part = options.side;
  const TuneTargets targets = tune_targets(options.live, name_for(options));
  FilePlan plan;
  plan.reads(options.space.space_file, "--space");
  check_files(plan, options.live, targets);
  const SpaceFile file = space_file_of(options.space);
  const TuneProblemOptions problem = problem_of(options);
  TuningWorker worker(tuning_worker_options(problem, /* on_team */ false));
  const SpaceRequest request = space_request(options, file, worker.backend());
  check_request(request);  // before the ratings are loaded
  const std::vector<TuneProblemOptions> further = further_problems(options);
  refuse_oversized(options, problem, worker.traits());
  for (const TuneProblemOptions& one : further)
    refuse_oversized(options, one, worker.traits(), kAlso);
  StageShapes shapes(worker, further, part);
  const SearchSpace space = shapes.common_space(request);
  TuneOptions tune = tune_options(options.live.search, options.space, file, space, options.record);
  make_strategy(tune.strategy, space, tune.strategy_options);  // its name, before any work
  if (options.live.output.dry_run) return dry_run(space, worker, part, tune);
  const auto database =
      database_path(options.live, worker.traits());  // before anything is measured
  if (!options.record) tune.first = known_points(database, space, worker, part);
  if (options.wanted() != SearchObjective::time) require_energy(space, worker, part);
  TuningHead head = head_of(options, worker, space, tune);
  head.search.also = shapes.further();
  TuningJournal journal = open_journal(options, head, space, targets.journal);
  Objective& objective = shapes.objective(space);
  ProgressReport report("tune", options.live.output.progress.chosen());
  TuneProgress progress(report, space, options.stage);
  progress.listen(tune);
  if (std::isfinite(tune.budget.seconds)) report.set_time_limit(tune.budget.seconds);
  tune.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
    journal.add(evaluation, space, playoff);
  };
  try {
    shapes.measure_ceilings();
    const TuningResult result = alsbench::tune(space, objective, tune, journal.known());
    progress.end();
    report.end();
    warn_of_disturbances(worker);
    if (is_kept(options, result)) keep(options, head, result, space, worker);
    TuningDocument document = document_of(head, tune, result, space, objective);
    std::string tables = tuning_table(result, space, objective);
    tables += add_more(options, {result, space, worker, shapes}, document);
    write_document(to_json(document), tables, targets);
    if (!options.live.output.progress.quiet) print_search(result, space, targets);
    end_journal(journal, options.record ? budget_that_ended(result, space) : "", options);
    return exit_code_of(result);
  } catch (const Interrupted&) {
    report.end();
    print_resume_hint(targets);
    return kExitInterrupted;
  } catch (const EnvironmentError&) {
    report.end();
    print_resume_hint(targets);
    throw;
  }
}

void add_stage_options(CLI::App& command, TuneStageOptions& options) {
  command.add_option("stage", options.stage, "hermitian, bias, solve, ...")->required();
  command.add_option("--part", options.side, "Factor to update: x or theta")
      ->check(CLI::IsMember({"x", "theta"}));
  command
      .add_option("-b,--benchmark", options.variants,
                  "Restrict the search to these variants of the stage")
      ->allow_extra_args(false);
  command.add_option("-a,--axis", options.axes, "Parameter values: N=v, N=[a,b], N=[0:8:2]")
      ->allow_extra_args(false);
  command.add_option("--tie", options.tied, "A,B: tie the values of these axes")
      ->allow_extra_args(false);
}

}  // namespace

void add_tune_stage_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<TuneStageOptions>();
  CLI::App* command =
      tune.add_subcommand("stage", "Search for the fastest configuration of a stage");
  add_stage_options(*command, *options);
  add_space_search_options(*command, options->space);
  add_live_options(*command, options->live, {.devices = kOneDevice});
  command
      ->add_flag("--record", options->record,
                 "Measure every point alike, for tune replay: exhaustive, no bail-out, no playoff")
      ->excludes("--strategy");
  CLI::Option* const also =
      command
          ->add_option("--also", options->also,
                       "Another problem whose time counts as much, such as M=64,N=64 or rank=64: "
                       "one pick for all")
          ->type_name("NAME=VALUE,...")
          ->allow_extra_args(false);
  command
      ->add_option("--objective", options->objective,
                   "time; energy: joules of the points near the fastest; front: both, none worse "
                   "than another in both")
      ->check(CLI::IsMember({"time", "energy", "front"}))
      ->capture_default_str()
      ->excludes(also);
  result.runs(*command, [options] { return tune_stage(*options); });
}

}  // namespace alsbench
