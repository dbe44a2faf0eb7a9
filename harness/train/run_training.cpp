// SPDX-License-Identifier: Apache-2.0
#include "harness/train/run_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "harness/data/csr.h"
#include "harness/files/hash.h"
#include "harness/model/model.h"
#include "harness/model/model_files.h"
#include "harness/model/model_matrix.h"
#include "harness/model/prediction.h"
#include "harness/record/core_codecs.h"
#include "harness/train/train.h"

namespace alsbench {
namespace {

constexpr double kLarge = 100;       // no usual scale of ratings has more
constexpr double kMinLambda = 1e-4;  // as a share of the ratings: from here on it does nothing

// The root of the mean square of ratings, of at most a million that are evenly spaced.
double rating_scale(const Csr& ratings) {
  constexpr int64_t kMaxSampled = 1'000'000;
  const int64_t step = std::max<int64_t>(1, ratings.nnz() / kMaxSampled);
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < ratings.nnz(); i += step, ++count)
    sum += static_cast<double>(ratings.values[i]) * static_cast<double>(ratings.values[i]);
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

void check_rating_scale(const TrainOptions& options, const RatingSet& set) {
  if (options.recipe.algorithm->feedback != kExplicitFeedback) return;
  const double scale = rating_scale(set.by_user);
  const auto lambda = static_cast<double>(options.lambda);
  if (scale <= kLarge || lambda >= kMinLambda * scale) return;
  const double divisor = std::pow(10, std::ceil(std::log10(scale / 10)));
  throw UsageError(fmt::format(
      "ratings of about {:.3g} are too large for a lambda of {:.3g}, which would have no effect; "
      "divide the ratings by {:.15g}, or give a lambda of {:.3g} or more",
      scale, lambda, divisor, std::max(lambda, 0.01) * divisor));
}

// The best candidate's options, or nothing where the search was interrupted.
std::optional<TrainOptions> searched(const TrainingPlace& place, const TrainingRequest& request,
                                     TrainingObserver& observer, FinishedSearch& search) {
  search = run_search(request.search, place, request.choose, observer);
  if (search.halving.interrupted) return std::nullopt;
  if (!search.halving.best)
    throw NonFiniteError("--search: no training stayed finite; use larger lambdas");
  return request.search.candidates[*search.halving.best].options;
}

// Throws UsageError where the team's processes do not train the same. Each process reads ratings, a
// tuning database and options of its own.
void check_same_training(Team& team, const Json& identity) {
  if (team.here() == team.size()) return;
  const std::string hash = sha256(identity.dump()).substr(0, 12);  // exact as a double
  team.run([&](const Member& member) {
    const std::vector<double> all =
        member.each(static_cast<double>(std::stoull(hash, nullptr, 16)));
    for (size_t other = 1; other < all.size(); ++other)
      if (all[other] != all[0])
        throw UsageError(
            fmt::format("process {} would train something other than process 0; give all processes "
                        "the same ratings, options and tuning database",
                        other));
  });
}

// Chooses the pipelines that the training lacks.
void complete(FinishedTraining& training, const TrainingPlace& place,
              const ChoosePipelines& choose) {
  const Clock::time_point start = Clock::now();
  if (choose) training.tuned = choose(training.options, place.set, place.team);
  training.start.pipelines = seconds_since(start);
}

// Trains from the first iteration, or from the one after a checkpoint.
void train_on(FinishedTraining& training, const TrainingPlace& place,
              const CheckpointOptions& options, TrainingObserver& observer) {
  const RatingSet& set = place.set;
  const bool leads = place.team.leads();
  const Checkpoints checkpoints(
      options,
      {training_identity(training.options, set), set.by_user.rows, set.by_user.cols,
       training.options.rank, training.options.iterations},
      leads);
  TrainOptions with_checkpoints = training.options;
  checkpoints.use_in(with_checkpoints);
  TrainProgress progress;
  if (leads) {
    observer.begins(with_checkpoints, training.tuned);
    progress = [&](const IterationRecord& iteration) { observer.iterated(iteration); };
  }
  training.result = train(place, with_checkpoints, progress);
  training.start.upload = training.result.upload_seconds;
  training.start.prepare = training.result.setup_seconds - training.result.upload_seconds;
}

}  // namespace

RecipeRecord recipe_record(const Recipe& recipe, const std::optional<double>& target) {
  const Algorithm& algorithm = *recipe.algorithm;
  RecipeRecord record;
  record.algorithm = algorithm.name;
  record.hyper = recipe.hyper;
  record.metric = algorithm.metric;
  for (const std::string& part : algorithm.parts)
    record.pipelines.push_back({part, records_of(recipe.of(part).steps)});
  record.target = target;
  return record;
}

TrainingRecord record_of(const FinishedTraining& training) {
  const TrainResult& result = training.result;
  return {
      recipe_record(training.options.recipe, training.options.target),
      {{result.iterations, TrainingResult{result.reached_target, result.setup_seconds,
                                          result.failed_rows, result.overflows, result.empty_users,
                                          result.empty_items, result.team, result.energy}}}};
}

std::optional<FinishedTraining> run_training(const TrainingPlace& place,
                                             const TrainingRequest& request,
                                             TrainingObserver& observer) {
  FinishedTraining training{request.options, {}, {}, request.start, {}};
  for (const Candidate& candidate : request.search.candidates)
    check_rating_scale(candidate.options, place.set);
  if (request.search.candidates.empty()) check_rating_scale(request.options, place.set);
  if (place.team.leads()) {  // before a search takes hours
    check_replaceable(claimed_model(request.out));
    check_replaceable(claimed_folder(request.checkpoints));
  }
  if (!request.search.candidates.empty()) {
    const auto best = searched(place, request, observer, training.search.emplace());
    if (!best) return std::nullopt;
    training.options = *best;
  }
  complete(training, place, request.choose);
  check_same_training(place.team, training_identity(training.options, place.set));
  std::optional<HeldFolder> held;  // two trainings never write one model
  if (place.team.leads() && !request.out.empty()) held.emplace(claimed_model(request.out));
  train_on(training, place, request.checkpoints, observer);
  if (place.team.leads()) observer.ends(training);
  if (held)
    write_model(request.out, files_of(place.set, training.result.model),
                to_json(record_of(training, place)), held->lock());
  return training;
}

namespace {

TrainedOptions options_of(const TrainOptions& options) {
  TrainedOptions trained;
  static_cast<RecipeRecord&>(trained) = recipe_record(options.recipe, options.target);
  trained.rank = options.rank;
  trained.lambda = decimal_of(options.lambda);
  trained.iterations = options.iterations;
  trained.seed = options.seed;
  trained.keep = name_of(options.keep);
  if (options.early_stop > 0) trained.early_stop = options.early_stop;
  return trained;
}

TrainedData data_of(const RatingSet& set) {
  return {{set.id, set.content_hash, set.by_user.rows, set.by_user.cols, set.by_user.nnz(),
           set.test.nnz(), empty_rows(set.by_user), empty_rows(set.by_item)},
          set.mean};
}

}  // namespace

Json training_identity(const TrainOptions& options, const RatingSet& set) {
  Json json = to_json(options_of(options));
  json.erase("iterations");
  json["ratings"] = set.content_hash;
  return json;
}

ModelRecord record_of(const FinishedTraining& training, const TrainingPlace& place) {
  const TrainResult& result = training.result;
  const DeviceTraits& traits = place.team.device().traits();
  ModelRecord record;
  record.provenance = provenance();
  record.device = {traits.backend, traits.name};
  record.data = data_of(place.set);
  record.options = options_of(training.options);
  record.prediction =
      prediction_of(place.set, training.options.recipe.algorithm->feedback, result.model);
  if (training.search) record.search = record_of(*training.search);
  record.tuned = training.tuned;
  record.start_seconds = training.start;
  record.setup_seconds = result.setup_seconds;
  record.transferred_ratings = result.transferred_ratings;
  record.peak_device_bytes = result.peak_device_bytes;
  record.kept_iteration = result.kept_iteration;
  record.stopped_early = result.stopped_early;
  record.reached_target = result.reached_target;
  record.failed_rows = result.failed_rows;
  record.overflows = result.overflows;
  record.team = result.team;
  record.energy = result.energy;
  record.iterations = result.iterations;
  return record;
}

}  // namespace alsbench
