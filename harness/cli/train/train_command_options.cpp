// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/train_command_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/validators.h"
#include "harness/data/generator_spec.h"
#include "harness/record/escape.h"

namespace alsbench {

TrainOptions train_options(const TrainCommandOptions& options,
                           const std::function<Backend()>& backend) {
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
  train.energy = options.energy;
  return train;
}

void add_keep_options(CLI::App& command, KeepOptions& options) {
  command
      .add_option("--keep", options.keep,
                  "Iteration whose model is kept: last, or best by the test ratings (default: best "
                  "with --early-stop, else last)")
      ->check(CLI::IsMember({"last", "best"}));
  command
      .add_option("--early-stop", options.early_stop,
                  "Stop after this many iterations without a lower test metric")
      ->check(above_zero());
}

Keep keep_of(const KeepOptions& options) {
  const bool best = options.keep.empty() ? options.early_stop > 0 : options.keep == "best";
  return best ? Keep::best : Keep::last;
}

void check_keep(const KeepOptions& options, const RatingSet& set) {
  if (set.test.nnz() > 0 || (options.keep != "best" && options.early_stop == 0)) return;
  throw UsageError(fmt::format(
      "{}: {} has no test ratings to judge iterations by; give --test or a --test-fraction above 0",
      options.early_stop > 0 ? "--early-stop" : "--keep best", set.id));
}

void print_kept_iteration(const TrainOptions& train, const TrainResult& result) {
  const int last = result.iterations.back().iteration;
  const std::string metric = upper_case(train.recipe.algorithm->metric);
  if (result.stopped_early)
    print_message("stopped after iteration {}: {} iterations without a lower test {}\n", last,
                  last - result.best_iteration, metric);
  if (result.kept_iteration != last)
    print_message("the model is that of iteration {}, whose test {} was lowest: {:.5f}\n",
                  result.kept_iteration, metric,
                  iteration_record(result, result.kept_iteration).test_metric);
}

}  // namespace alsbench
