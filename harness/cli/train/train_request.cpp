// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/train_request.h"

#include <fmt/format.h>

#include "harness/data/generator_spec.h"
#include "harness/tune/database/training_query.h"

namespace alsbench {
namespace {

// The pipeline that the options name for a part, or nothing.
std::optional<Pipeline> named_pipeline(const TrainRequest& options, const std::string& part,
                                       Backend backend) {
  const std::string& own = options.pipelines.at(part);
  const std::string& text = own.empty() ? options.pipeline : own;
  if (text.empty()) return std::nullopt;
  return algorithm_of(options.algorithm).parse(part, text, backend);
}

// What a tuning for this training takes beside its ratings and rank.
std::vector<std::string> tuning_arguments(const TrainRequest& options) {
  std::vector<std::string> words;
  if (options.lambda) words.insert(words.end(), {"--lambda", fmt::format("{}", *options.lambda)});
  if (options.device != kAutoDevice) words.insert(words.end(), {"--device", options.device});
  return words;
}

}  // namespace

TunedOrigins choose_pipelines(const TrainRequest& options, const RatingSet& set, const Team& team,
                              TrainOptions& train) {
  std::string line, better;
  TunedOrigins tuned;
  std::optional<TuningDatabase> database;
  const Algorithm& algorithm = *train.recipe.algorithm;
  for (const std::string& part : algorithm.parts) {
    if (named_pipeline(options, part, team.device().traits().backend)) continue;
    Pipeline& pipeline = train.recipe.of(part);
    const TunedQuery query = training_query(train, set, team, part);
    if (options.no_tuned) {
      pipeline.steps = default_of(query).steps;
      continue;
    }
    if (!database) database = TuningDatabase::load(options.database);
    const Served served = database->look_up(query);
    pipeline.steps = served.steps;
    tuned.emplace_back(part, origin_of(served));
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", part, served.line());
    if (!is_tuned(algorithm)) continue;
    if (const std::string command =
            better_by_tuning(query, tuned.back().second, options.data, tuning_arguments(options));
        !command.empty())
      better = "; to do better: " + command;
  }
  if (!options.progress.quiet && !line.empty())
    fmt::print(stderr, "pipelines: {}{}\n", line, better);
  return tuned;
}

TrainOptions train_options(const TrainRequest& options, Backend backend) {
  TrainOptions train;
  const Algorithm& algorithm = algorithm_of(options.algorithm);
  train.recipe = {&algorithm, hyper_of(options.algorithm), {}};
  for (const std::string& part : algorithm.parts)
    train.recipe.pipelines[part] = named_pipeline(options, part, backend).value_or(Pipeline{});
  train.rank = options.rank;
  train.lambda = options.lambda.value_or(usual_lambda(options.data.dataset));
  train.iterations = options.iterations;
  train.seed = options.data.seed;
  train.target = target_of(options.algorithm);
  train.keep = keep_of(options.keep);
  train.early_stop = options.keep.early_stop;
  return train;
}

}  // namespace alsbench
