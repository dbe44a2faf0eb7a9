// SPDX-License-Identifier: Apache-2.0
// `alsbench train`: trains a model on a user's ratings (or a generated set) and writes the factors,
// the id maps and the run's record.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/message.h"
#include "harness/algorithms/algorithms.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/output.h"
#include "harness/cli/progress/reading_line.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"
#include "harness/cli/train/search_options.h"
#include "harness/cli/train/train_command_options.h"
#include "harness/cli/train/train_report.h"
#include "harness/cli/tune/tuned.h"
#include "harness/cli/validators.h"
#include "harness/data/dataset.h"
#include "harness/device/device_selection.h"
#include "harness/device/library_environment.h"
#include "harness/device/opening_team.h"
#include "harness/device/process_exchange.h"
#include "harness/device/team.h"
#include "harness/files/file_plan.h"
#include "harness/model/model.h"
#include "harness/problem/device_problem.h"
#include "harness/process/exit_code.h"
#include "harness/record/escape.h"
#include "harness/train/checkpoint.h"
#include "harness/train/memory_plan.h"
#include "harness/train/run_training.h"
#include "harness/tune/database/training_query.h"

namespace alsbench {
namespace {

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* folder = command.add_option("--checkpoint", options.folder,
                                           "Folder of checkpoints; only the latest is kept");
  command.add_option("--every", options.every, "Iterations between checkpoints")
      ->check(above_zero())
      ->needs(folder)
      ->capture_default_str();
  command.add_option("--resume", options.resume,
                     "Resume from the checkpoint in this folder, with the same options");
}

std::string mib(int64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

std::string conclusion(const MemoryPlan& plan) {
  int64_t on_host = 0;
  for (const MemoryPart& part : plan.host) on_host += part.bytes;
  const std::string most =
      plan.largest_rank > 0
          ? fmt::format("the largest rank that fits is {}", plan.largest_rank)
          : std::string("no rank fits; choose a smaller problem or a device with more memory");
  if (!plan.fits)
    return fmt::format("rank {} needs some {} MiB, and {} MiB are free on {}: {}\n", plan.rank,
                       mib(plan.needed_bytes), mib(plan.free_bytes), plan.device, most);
  return fmt::format(
      "rank {} takes {} MiB of {} MiB that are free on {}{}, and {} MiB of the host for ratings "
      "and the model; {}\n",
      plan.rank, mib(plan.device_bytes), mib(plan.free_bytes), plan.device,
      plan.streams ? ", reads the ratings that it does not hold from the host" : "", mib(on_host),
      most);
}

std::string text_of(const MemoryPlan& plan) {
  TextTable table({"memory", "what", "MiB"});
  for (const MemoryPart& part : plan.on_device)
    table.add({plan.on_host ? "host" : "device", part.name, mib(part.bytes)});
  for (const MemoryPart& part : plan.host) table.add({"host", part.name, mib(part.bytes)});
  return table.text() + wrapped_to_terminal(conclusion(plan));
}

// Devices that open while a file is read.
OpeningTeam begin_opening(const TrainCommandOptions& options) {
  if (started_by_mpi()) {
    if (!options.search.empty())
      throw UsageError("--search trains in one process: start it without MPI");
    return OpeningTeam(open_process_team(options.device, interrupt_flag()));
  }
  // A text that names no device is an error before the load. Which ordinals there are, only the
  // driver knows.
  constexpr int kAnyNumber = 1000;  // ordinals have three digits
  one_team(options.device,
           OpeningTeam::is_ahead(options.device) && has_cuda_driver() ? kAnyNumber : 0);
  return OpeningTeam(options.device, open_chosen_team);
}

Team& opened(OpeningTeam& opening, const TrainCommandOptions& options) {
  Team& team = opening.get();
  if (options.device_memory)
    team.run([&](const Member& member) { member.device().limit_memory(*options.device_memory); });
  return team;
}

FilePlan file_plan(const TrainCommandOptions& options) {
  FilePlan plan;
  reads_data(plan, options.data);
  reads_database(plan, options.database);
  plan.writes_folder(options.out, "--out", model_file_names());
  constexpr const char* kCheckpoints = "--checkpoint or --resume";  // may be one folder
  plan.reads_folder(options.checkpoint.resume, kCheckpoints);
  plan.writes_folder(options.checkpoint.folder, kCheckpoints, checkpoint_files());
  return plan;
}

void check_target(const TrainOptions& train, const RatingSet& set) {
  if (train.target && set.test.nnz() == 0)
    throw UsageError(
        fmt::format("--target-{} {}: {} has no test ratings to reach it on; give "
                    "--test or a --test-fraction above 0",
                    train.recipe.algorithm->metric, *train.target, set.id));
}

class StopWatch {
 public:
  // Seconds since the last call, or since the beginning.
  double lap() {
    const Clock::time_point now = Clock::now();
    return seconds_between(std::exchange(last_, now), now);
  }

 private:
  Clock::time_point last_ = Clock::now();
};

// From now on Ctrl-C ends a training after its iteration, and a search after its trial.
void catch_interrupts_in(TrainingRequest& request) {
  request.options.interrupted = &catch_interrupts();
  for (Candidate& candidate : request.search.candidates)
    candidate.options.interrupted = request.options.interrupted;
}

int run_train(const TrainCommandOptions& options) {
  use_library_environment();  // iterations are timed in this process
  check_one_source(options.data);
  file_plan(options).check();
  hyper_of(options.algorithm);  // what is wrong is said before a device is opened
  const SearchPlan search = search_plan(options);
  StopWatch watch;
  TrainingRequest request;
  OpeningTeam opening = begin_opening(options);
  const auto backend = [&] { return opening.backend(); };  // likewise before the load
  request.options = train_options(options, backend);
  request.search = search_request(options, search, backend);
  DrawTarget drawing;
  if (const auto size = size_before_loading(options.data)) {
    drawing.device = &opened(opening, options).device();
    if (!options.dry_run)
      require_device_memory(*drawing.device, *size, options.rank,
                            residency_of(request.options.recipe));
  }
  request.start.device = watch.lap();
  std::optional<CachedSet> cached;
  {
    const ReadingLine line(options.progress, options.data.path.string());
    cached.emplace(options.data, drawing);
  }
  const RatingSet& set = **cached;
  request.start.load = watch.lap();
  Team& team = opened(opening, options);
  request.start.device += watch.lap();
  check_target(request.options, set);
  check_keep(options.keep, set);
  request.choose = options.no_tuned ? choose_defaults() : choose_tuned(options.database);
  if (options.dry_run) {
    fmt::print("{}", text_of(plan_memory({team, set}, request.options, request.choose)));
    return kExitOk;
  }
  request.checkpoints = options.checkpoint;
  request.out = options.out;
  catch_interrupts_in(request);
  TrainReport report(options, team, set);
  const auto training = run_training({team, set}, request, report);
  if (team.leads() && !options.out.empty() && training && !options.progress.quiet)
    print_message("written: {}/{{{}}}\n", visible(options.out), fmt::join(model_file_names(), ","));
  return training && !training->result.interrupted ? kExitOk : kExitInterrupted;
}

void add_search_options(CLI::App& command, TrainCommandOptions& options) {
  command.add_option("--search", options.search,
                     "Search for the best values: NAME=VALUE,... or NAME=FIRST:LAST:COUNT; "
                     "NAME is rank, lambda or a hyper-parameter");
  command
      .add_option("--search-seeds", options.search_seeds,
                  "Trainings of each trial, with different seeds; the mean is compared (default 1)")
      ->check(CLI::Range(1, 100))
      ->needs("--search");
  CLI::Option* by =
      command
          .add_option("--search-by", options.search_by,
                      "Judge trials by rankings of test items, as `evaluate -k` does: precision@K, "
                      "recall@K, ndcg@K or map@K (default: by the test metric)")
          ->check(not_empty())
          ->needs("--search");
  command
      .add_option("--relevant", options.relevant,
                  "Minimum rating of a relevant item (default: any; implicit: above 0)")
      ->needs(by);
}

}  // namespace

void add_train_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<TrainCommandOptions>();
  CLI::App* command = app.add_subcommand("train", "Train a model and write its factors");
  add_ratings_options(*command, options->data);
  command->add_option("--rank", options->rank, "Rank")->check(above_zero())->capture_default_str();
  command
      ->add_option("--lambda", options->lambda,
                   "Regularisation, weighted by each row's rating count for explicit feedback and "
                   "plain for implicit (default: the data set's, else 0.05)")
      ->check(zero_or_more());
  command->add_option("--iterations", options->iterations, "Maximum number of iterations")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--seed", options->data.seed, "Seed of the split and of training")
      ->check(seed_number());
  add_algorithm_options(*command, options->algorithm);
  CLI::Option* pipeline = command->add_option(
      "--pipeline", options->pipeline,
      "Pipeline: a preset, or stage:variant[:name=value,...]/... (default: tuned)");
  for (const std::string& part : all_parts())
    command->add_option("--pipeline-" + part, options->pipelines[part],
                        "The pipeline of the part " + part + " alone");
  add_database_option(*command, options->database);
  CLI::Option* database = command->get_option("--db");
  command
      ->add_flag("--no-tuned", options->no_tuned, "Use the default pipelines instead of tuned ones")
      ->excludes(database)
      ->excludes(pipeline);
  database->excludes(pipeline);
  command->add_option("-d,--device", options->device, kOneTeam);
  command
      ->add_option("--device-memory", options->device_memory,
                   "Device memory limit, such as 8GiB (default: all that is free). Explicit ALS "
                   "streams ratings that do not fit from the host")
      ->transform(memory_size())
      ->type_name("SIZE");
  add_target_options(*command, options->algorithm);
  add_keep_options(*command, options->keep);
  add_checkpoint_options(*command, options->checkpoint);
  add_search_options(*command, *options);
  command->add_option(kOutFlags, options->out, "Output folder of factors, id maps and the record")
      ->type_name("DIR");
  command
      ->add_flag("--dry-run", options->dry_run,
                 "Print the memory that the training would take, and the largest rank that fits")
      ->excludes("--search");
  command
      ->add_flag("--energy", options->energy,
                 "Measure the energy of an iteration, in iterations after the training")
      ->excludes("--search");
  add_progress_options(*command, options->progress);
  result.runs(*command, [options] { return run_train(*options); });
}

}  // namespace alsbench
