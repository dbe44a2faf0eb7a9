// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/training_query.h"

#include "harness/data/data_shape.h"

namespace alsbench {

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
  query.part = part;
  return query;
}

}  // namespace alsbench
