// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/training_query.h"

#include <optional>

#include "harness/data/data_shape.h"

namespace alsbench {
namespace {

// Calls `choose` with the query and the pipeline of each part that has none.
template <class Choose>
void for_each_open(TrainOptions& options, const RatingSet& set, const Team& team,
                   const Choose& choose) {
  for (const std::string& part : options.recipe.algorithm->parts)
    if (Pipeline& pipeline = options.recipe.pipelines[part]; pipeline.steps.empty())
      choose(training_query(options, set, team, part), pipeline);
}

}  // namespace

TunedQuery training_query(const TrainOptions& train, const RatingSet& set, const Team& team,
                          const std::string& part) {
  TunedQuery query;
  query.device = team.device().traits();
  query.members = team.size();
  query.algorithm = train.recipe.algorithm;
  query.minimised = minimised_text(*query.algorithm, train.recipe.hyper);
  query.shape = query.algorithm->shape_of_set(set, train.rank, part);
  query.shape.damping = damping_of(train.lambda, set.mean);
  query.shape.distinct_ratings = distinct_ratings_of(set.by_user);
  if (query.algorithm->negative_weights != nullptr)
    query.shape.negative_weights = query.algorithm->negative_weights(train.recipe.hyper);
  query.part = part;
  return query;
}

ChoosePipelines choose_tuned(const std::filesystem::path& file) {
  return [file, database = std::optional<TuningDatabase>()](
             TrainOptions& options, const RatingSet& set, const Team& team) mutable {
    TunedOrigins origins;
    for_each_open(options, set, team, [&](const TunedQuery& query, Pipeline& pipeline) {
      if (!database) database = TuningDatabase::load(file);
      const Served served = database->look_up(query);
      pipeline.steps = served.steps;
      origins.push_back(origin_of(served, query.part));
    });
    return origins;
  };
}

ChoosePipelines choose_defaults() {
  return [](TrainOptions& options, const RatingSet& set, const Team& team) {
    for_each_open(options, set, team, [](const TunedQuery& query, Pipeline& pipeline) {
      pipeline.steps = default_of(query).steps;
    });
    return TunedOrigins{};
  };
}

}  // namespace alsbench
