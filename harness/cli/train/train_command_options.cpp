// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/train_command_options.h"

#include "harness/data/generator_spec.h"

namespace alsbench {

TrainOptions train_options(const TrainCommandOptions& options, Backend backend) {
  std::map<std::string, std::string> pipelines = options.pipelines;
  pipelines[""] = options.pipeline;
  std::erase_if(pipelines, [](const auto& entry) { return entry.second.empty(); });
  const Recipe begun{&algorithm_of(options.algorithm), hyper_of(options.algorithm), {}};
  TrainOptions train;
  train.recipe = named_recipe(begun, pipelines, backend);
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
