// SPDX-License-Identifier: Apache-2.0
// `alsbench train`: trains a model on a user's ratings (or a generated set) and writes the factors,
// the id maps and the run's record.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
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
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/train/model_output.h"
#include "harness/cli/train/search.h"
#include "harness/cli/train/train_request.h"
#include "harness/cli/train/train_warnings.h"
#include "harness/cli/train/training_team.h"
#include "harness/cli/validators.h"
#include "harness/data/dataset.h"
#include "harness/device/device_selection.h"
#include "harness/device/library_environment.h"
#include "harness/files/file_lock.h"
#include "harness/files/file_plan.h"
#include "harness/model/model.h"
#include "harness/model/model_files.h"
#include "harness/problem/device_problem.h"
#include "harness/process/exit_code.h"
#include "harness/record/core_codecs.h"
#include "harness/record/escape.h"
#include "harness/record/provenance.h"
#include "harness/train/train.h"

namespace alsbench {
namespace {

// What passes before the first iteration, by the host's clock.
struct StartSeconds {
  double device = 0;     // opening it
  double load = 0;       // of the ratings, to where they are mapped or in memory
  double pipelines = 0;  // choosing them
  double upload = 0;     // of the ratings to the device
  double prepare = 0;    // compilation, allocation, warm-up

  double total() const { return device + load + pipelines + upload + prepare; }
};

FilePlan file_plan(const TrainRequest& options) {
  FilePlan plan;
  reads_data(plan, options.data);
  reads_database(plan, options.database);
  plan.writes_folder(options.out, "--out", model_file_names());
  constexpr const char* kCheckpoints = "--checkpoint or --resume";  // may be one folder
  plan.reads_folder(options.checkpoint.resume, kCheckpoints);
  plan.writes_folder(options.checkpoint.folder, kCheckpoints, checkpoint_files());
  return plan;
}

// Seconds since the last call, or since the beginning.
class StopWatch {
 public:
  double lap() {
    const Clock::time_point now = Clock::now();
    return seconds_between(std::exchange(last_, now), now);
  }

 private:
  Clock::time_point last_ = Clock::now();
};

void check_target(const TrainOptions& train, const RatingSet& set) {
  if (train.target && set.test.nnz() == 0)
    throw UsageError(
        fmt::format("--target-{} {}: {} has no test ratings to reach it on; give "
                    "--test or a --test-fraction above 0",
                    train.recipe.algorithm->metric, *train.target, set.id));
}

std::string iteration_text(const IterationRecord& record, const std::string& metric) {
  return fmt::format("iteration {:3}  train {} {:.5f}  test {} {:.5f}  {:.4f} s", record.iteration,
                     metric, record.train_metric, metric, record.test_metric, record.seconds);
}

// Trains, and says each iteration before it begins and what became of it.
TrainResult train_and_tell(Team& team, const RatingSet& set, const TrainOptions& train_with,
                           const ProgressOptions& options) {
  ProgressReport report("train", options.chosen());
  const size_t done = train_with.resume != nullptr ? train_with.resume->iterations.size() : 0;
  for (int i = static_cast<int>(done) + 1; i <= train_with.iterations; ++i)
    report.add({fmt::format("iteration {}", i), "iteration", 1});
  report.start(0);
  const std::string metric = upper_case(train_with.recipe.algorithm->metric);
  return train(team, set, train_with, [&](const IterationRecord& record) {
    report.note(iteration_text(record, metric));
    report.finish_started();
    const size_t next = static_cast<size_t>(record.iteration) - done;
    if (record.iteration < train_with.iterations) report.start(next);
  });
}

Json to_json(const StartSeconds& start) {
  return Json{{"device", start.device}, {"load", start.load},       {"pipelines", start.pipelines},
              {"upload", start.upload}, {"prepare", start.prepare}, {"total", start.total()}};
}

Json options_json(const TrainOptions& train) {
  const Algorithm& algorithm = *train.recipe.algorithm;
  Json json{{"algorithm", algorithm.name}, {"hyper", to_json(train.recipe.hyper)}};
  for (const std::string& part : algorithm.parts)
    json["pipeline_" + part] = train.recipe.of(part).text();
  json["rank"] = train.rank;
  json["lambda"] = decimal_of(train.lambda);
  json["iterations"] = train.iterations;
  json["seed"] = train.seed;
  json["target_" + algorithm.metric] = train.target ? Json(*train.target) : Json(nullptr);
  json["keep"] = name_of(train.keep);
  json["early_stop"] = train.early_stop > 0 ? Json(train.early_stop) : Json(nullptr);
  return json;
}

// What was trained on.
Json describe(const RatingSet& set) {
  return Json{{"id", set.id},
              {"content_hash", set.content_hash},
              {"users", set.by_user.rows},
              {"items", set.by_user.cols},
              {"train_ratings", set.by_user.nnz()},
              {"test_ratings", set.test.nnz()},
              {"empty_users", empty_rows(set.by_user)},
              {"empty_items", empty_rows(set.by_item)},
              {"mean", set.mean}};
}

// What a training needs beside its options, once its ratings are loaded.
struct Loaded {
  Team& team;
  const RatingSet& set;
  StopWatch& watch;
  StartSeconds start = {};
  Json search = nullptr;
};

Json record_of(const RatingSet& set, const TrainOptions& train, const TrainResult& result,
               const TunedOrigins& tuned, const Loaded& loaded) {
  const DeviceTraits& traits = loaded.team.device().traits();
  const Algorithm& algorithm = *train.recipe.algorithm;
  Json json{{"$schema", "train.schema.json"},
            {"schema_version", "1.9.0"},
            {"provenance", to_json(provenance())},
            {"device", {{"backend", name_of(traits.backend)}, {"name", traits.name}}},
            {"data", describe(set)},
            {"options", options_json(train)},
            {"prediction", to_json(prediction_of(set, algorithm, result))},
            {"search", loaded.search},
            {"tuned", to_json(tuned)},
            {"start_seconds", to_json(loaded.start)},
            {"setup_seconds", result.setup_seconds},
            {"brought_ratings", result.brought_ratings},
            {"peak_device_bytes", result.peak_device_bytes},
            {"kept_iteration", result.kept_iteration},
            {"stopped_early", result.stopped_early},
            {"reached_target", result.reached_target},
            {"failed_rows", result.failed_rows},
            {"overflows", result.overflows},
            {"iterations", to_json(result.iterations)}};
  if (result.team) json["team"] = to_json(*result.team);
  return json;
}

// What a training that goes on must have in common with the one that left the checkpoint.
Json same_training(const RatingSet& set, const TrainOptions& train) {
  Json json = options_json(train);
  json.erase("iterations");
  json["ratings"] = set.content_hash;
  return json;
}

// Has `train` write the checkpoints that the options ask for, where this process leads the team,
// and go on after one, which is left in `resumed`.
void use_checkpoints(const CheckpointOptions& options, const CheckpointNeeds& needs, bool leads,
                     TrainOptions& train, std::optional<Checkpoint>& resumed) {
  std::shared_ptr<FolderLock> lock;
  if (!options.folder.empty() && leads) {
    make_model_folder(options.folder, "--checkpoint");
    lock = std::make_shared<FolderLock>(options.folder);
  }
  if (!options.resume.empty()) {
    resumed = read_checkpoint(options.resume, needs);
    train.resume = &*resumed;
  }
  if (options.folder.empty()) return;
  train.checkpoint_every = options.every;
  train.checkpoint = [folder = options.folder, lock,
                      training = needs.training](const Checkpoint& checkpoint) {
    write_checkpoint(folder, checkpoint, training, *lock);
  };
}

int train_on(const TrainRequest& options, Loaded& loaded) {
  const DeviceTraits& traits = loaded.team.device().traits();
  const RatingSet& set = loaded.set;
  StartSeconds& start = loaded.start;
  TrainOptions train_with = train_options(options, traits.backend);
  loaded.watch.lap();
  const TunedOrigins tuned = choose_pipelines(options, set, loaded.team, train_with);
  start.pipelines = loaded.watch.lap();
  const bool leads = loaded.team.leads(), tells = leads && !options.progress.quiet;
  const Json training = same_training(set, train_with);
  check_same_training(loaded.team, training);
  if (tells) tell_reading(options.data);
  if (tells)
    print_message("{}: {} users, {} items, {} training and {} test ratings; {} on {}{}\n", set.id,
                  set.by_user.rows, set.by_user.cols, set.by_user.nnz(), set.test.nnz(),
                  train_with.recipe.first().text(),
                  loaded.team.size() > 1 ? fmt::format("{} x ", loaded.team.size()) : "",
                  traits.name);
  check_target(train_with, set);
  check_keep(options.keep, set);
  if (leads) warn_of_doubts(options.data, set);
  if (leads) warn_before_training(train_with, set);
  std::optional<FolderLock> lock;  // two trainings never write one model
  if (leads && !options.out.empty()) {
    make_model_folder(options.out, "--out");
    lock.emplace(options.out);
  }
  std::optional<Checkpoint> resumed;
  use_checkpoints(
      options.checkpoint,
      {training, set.by_user.rows, set.by_user.cols, train_with.rank, train_with.iterations}, leads,
      train_with, resumed);
  train_with.interrupted = &catch_interrupts();
  const std::string& metric = train_with.recipe.algorithm->metric;
  const TrainResult result = leads ? train_and_tell(loaded.team, set, train_with, options.progress)
                                   : train(loaded.team, set, train_with);
  const int exit_code = result.interrupted ? kExitInterrupted : kExitOk;
  if (!leads) return exit_code;
  start.upload = result.upload_seconds;
  start.prepare = result.setup_seconds - result.upload_seconds;
  if (tells)
    print_message(
        "first iteration after {:.3f} s: device {:.3f}, load {:.3f}, pipelines {:.3f}, "
        "upload {:.3f}, prepare {:.3f}\n",
        start.total(), start.device, start.load, start.pipelines, start.upload, start.prepare);
  if (tells && result.brought_ratings > 0)
    print_message(
        "{} of {} ratings of both sides came from the host in each iteration: the device "
        "does not hold them all\n",
        result.brought_ratings, 2 * set.by_user.nnz());
  const IterationRecord& kept = iteration_record(result, result.kept_iteration);
  fmt::print(
      "train_{} {:.6f}\ntest_{} {:.6f}\niterations {}\nkept_iteration {}\nempty_users {}\n"
      "empty_items {}\ncold_test_ratings {}\n",
      metric, kept.train_metric, metric, kept.test_metric, result.iterations.size(),
      result.kept_iteration, result.empty_users, result.empty_items, kept.cold_test_ratings);
  if (tells) tell_what_is_kept(train_with, result);
  warn_after_training(train_with, result);
  if (options.out.empty() && tells) print_message("the model is not kept: there is no --out\n");
  if (!options.out.empty()) {
    write_model(options.out, files_of(set, result),
                record_of(set, train_with, result, tuned, loaded), *lock);
    if (tells)
      print_message("written: {}/{{{}}}\n", visible(options.out),
                    fmt::join(model_file_names(), ","));
  }
  return exit_code;
}

int run_train(const TrainRequest& options) {
  use_library_environment();  // iterations are timed in this process
  check_one_source(options.data);
  file_plan(options).check();
  const std::vector<Candidate> candidates = search_candidates(options);
  StopWatch watch;
  const auto team = open_training_team(options);
  Device& device = team->device();
  const double device_seconds = watch.lap();
  // what is wrong is said before the load
  const TrainOptions train_with = train_options(options, device.traits().backend);
  if (const auto size = size_before_loading(options.data))
    expect_device_memory(device, *size, options.rank, holding_of(train_with.recipe));
  const RatingSet set = cached_rating_set(options.data, DrawOn{&device});
  Loaded loaded{*team, set, watch};
  loaded.start.device = device_seconds;
  loaded.start.load = watch.lap();
  if (options.search.empty()) return train_on(options, loaded);
  const std::optional<TrainRequest> best = searched(options, candidates, *team, set, loaded.search);
  return best ? train_on(*best, loaded) : kExitInterrupted;
}

}  // namespace

void add_train_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<TrainRequest>();
  CLI::App* command = app.add_subcommand("train", "Train a model and write its factors");
  add_ratings_options(*command, options->data);
  command->add_option("--rank", options->rank, "Length of a factor")
      ->check(above_zero())
      ->capture_default_str();
  command
      ->add_option("--lambda", options->lambda,
                   "Regularisation, weighted by each row's rating count, but plain of implicit "
                   "feedback (that of the data set, else 0.05)")
      ->check(zero_or_more());
  command->add_option("--iterations", options->iterations, "At most this many")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--seed", options->data.seed, "Seed of the split, and of what training draws")
      ->check(seed_number());
  add_algorithm_options(*command, options->algorithm);
  CLI::Option* pipeline =
      command->add_option("--pipeline", options->pipeline,
                          "Preset or stage:variant[:name=value,...]/...; the tuned one");
  for (const std::string& part : all_parts())
    command->add_option("--pipeline-" + part, options->pipelines[part],
                        "The pipeline of the part " + part + " alone");
  add_database_option(*command, options->database);
  CLI::Option* database = command->get_option("--db");
  command
      ->add_flag("--no-tuned", options->no_tuned,
                 "The default pipelines, whatever the tuning database says")
      ->excludes(database)
      ->excludes(pipeline);
  database->excludes(pipeline);
  command->add_option("-d,--device", options->device, kOneTeam);
  command
      ->add_option("--device-memory", options->device_memory,
                   "What a device may use, such as 8GiB (all that is free). Explicit ALS reads "
                   "ratings that do not fit from the host in each iteration")
      ->transform(memory_size())
      ->type_name("SIZE");
  add_target_options(*command, options->algorithm);
  add_keep_options(*command, options->keep);
  add_checkpoint_options(*command, options->checkpoint);
  command->add_option("--search", options->search,
                      "Values to choose from by the test metric: NAME=VALUE,... or "
                      "NAME=FIRST:LAST:COUNT, of rank, lambda or a hyper-parameter");
  command
      ->add_option(
          "--search-seeds", options->search_seeds,
          "Trainings of each trial, from starts of as many seeds (1). Their mean is judged")
      ->check(CLI::Range(1, 100))
      ->needs("--search");
  command->add_option(kOutFlags, options->out, "Folder for factors, id maps and the record")
      ->type_name("DIR");
  add_progress_options(*command, options->progress);
  command->callback(
      [&result, options] { result.action = [options] { return run_train(*options); }; });
}

}  // namespace alsbench
