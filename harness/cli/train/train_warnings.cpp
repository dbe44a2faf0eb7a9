// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/train_warnings.h"

#include <fmt/format.h>

#include <cmath>

#include "base/message.h"
#include "harness/record/escape.h"
#include "harness/record/training_record.h"

namespace alsbench {
namespace {

// A rise of the test metric above its lowest that is worth a word, as a share of it.
constexpr double kOverfit = 1e-3;

void warn_of_overfitting(const TrainOptions& train, const TrainResult& result) {
  if (train.keep == Keep::best || result.best_iteration == 0) return;
  const IterationRecord& last = result.iterations.back();
  const IterationRecord& best = iteration_record(result, result.best_iteration);
  const double rise = last.test_metric - best.test_metric;
  if (!(rise > kOverfit * std::abs(best.test_metric))) return;
  print_message(
      "alsbench: warning: the test {} was lowest after iteration {}, {:.6g}, and rose to "
      "{:.6g}: the model overfits; give --iterations {}, --keep best or a larger --lambda\n",
      upper_case(train.recipe.algorithm->metric), best.iteration, best.test_metric,
      last.test_metric, best.iteration);
}

}  // namespace

void warn_before_training(const TrainOptions& train, const RatingSet& set) {
  if (train.lambda == 0)
    print_message(
        "alsbench: warning: --lambda 0: users and items with fewer than {} ratings are not "
        "determined by them, and their predictions may be anything\n",
        train.rank);
  if (const int64_t cells = cells_in_both(set.test, set.by_user); cells > 0)
    print_message(
        "alsbench: warning: {} of {} test ratings are of cells that are trained on; the "
        "test {} is too low by that\n",
        cells, set.test.nnz(), upper_case(train.recipe.algorithm->metric));
}

void warn_after_training(const TrainOptions& train, const TrainResult& result) {
  const IterationRecord& last = result.iterations.back();
  if (result.failed_rows > 0)
    print_message("alsbench: warning: the factorisation failed in {} rows of the last iteration\n",
                  result.failed_rows);
  if (result.interrupted)
    print_message(
        "alsbench: interrupted after iteration {} of {}; the model is that of iteration {}\n",
        last.iteration, train.iterations, result.kept_iteration);
  else if (train.target && !result.reached_target)
    print_message("alsbench: warning: --target-{} {} was not reached in {} iterations\n",
                  train.recipe.algorithm->metric, *train.target, last.iteration);
  warn_of_overfitting(train, result);
  if (disturbed(result.iterations))
    print_message(
        "alsbench: warning: other processes took {:.0f} % of the time, so the reported seconds are "
        "too high; alsbench doctor names them\n",
        100 * taken_share(result.iterations));
}

}  // namespace alsbench
