// SPDX-License-Identifier: Apache-2.0
#include "harness/train/trained_model.h"

namespace alsbench {

Model model_of(const TrainOptions& options, const RatingSet& set,
               std::vector<ModelMatrix> factors) {
  const Algorithm& algorithm = *options.recipe.algorithm;
  Model model;
  model.data_id = set.id;
  model.rank = options.rank;
  model.has_biases = has_biases(options.recipe.hyper);
  model.prediction = {algorithm.feedback, cold_prediction(set, algorithm.feedback), {}, {}};
  model.objective = ModelObjective{algorithm.name, options.recipe.hyper, options.lambda, set.mean};
  model.users = trained_side(set, true, factors);
  model.items = trained_side(set, false, factors);
  return model;
}

}  // namespace alsbench
