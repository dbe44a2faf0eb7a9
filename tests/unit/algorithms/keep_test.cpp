// SPDX-License-Identifier: Apache-2.0
// Which iteration's model a training keeps, and when it waits for no better one.
#include <gtest/gtest.h>

#include "harness/algorithms/algorithms.h"
#include "harness/train/train.h"
#include "tests/unit/rating_sets.h"

namespace alsbench {
namespace {

// Hardly any regularisation: the test metric soon rises again.
TrainOptions overfitting(int iterations) {
  TrainOptions options;
  options.recipe = exact_recipe(default_algorithm(), Backend::cpu);
  options.rank = 8;
  options.lambda = 1e-4f;
  options.iterations = iterations;
  return options;
}

TrainResult trained(const TrainOptions& options) {
  static const RatingSet set = planted_set(60, 50, 0.3);
  return train(*open_cpu_device(2), set, options);
}

void expect_equal_models(const TrainResult& a, const TrainResult& b) {
  ASSERT_EQ(a.model.size(), 2u);
  ASSERT_EQ(b.model.size(), 2u);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
}

TEST(Keep, TheBestIsTheModelOfTheIterationWithTheLowestTestMetric) {
  TrainOptions options = overfitting(8);
  options.keep = Keep::best;
  const TrainResult best = trained(options);
  ASSERT_EQ(best.iterations.size(), 8u);
  ASSERT_GT(best.kept_iteration, 0);
  ASSERT_LT(best.kept_iteration, 8) << "the test is of a training that overfits";
  EXPECT_EQ(best.kept_iteration, best.best_iteration);
  const double lowest = iteration_record(best, best.kept_iteration).test_metric;
  for (const IterationRecord& record : best.iterations) EXPECT_GE(record.test_metric, lowest);
  expect_equal_models(best, trained(overfitting(best.kept_iteration)));
}

TEST(Keep, TheLastIsKeptUnlessToldOtherwise) {
  const TrainResult last = trained(overfitting(8));
  EXPECT_EQ(last.kept_iteration, 8);
  EXPECT_LT(last.best_iteration, 8);
  EXPECT_FALSE(last.stopped_early);
}

TEST(EarlyStop, EndsAfterAsManyIterationsWithoutABetterOne) {
  const int best = trained(overfitting(8)).best_iteration;
  TrainOptions options = overfitting(50);
  options.early_stop = 2;
  options.keep = Keep::best;
  const TrainResult result = trained(options);
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.kept_iteration, best);
  EXPECT_EQ(result.iterations.size(), static_cast<size_t>(best) + 2);
}

TEST(EarlyStop, IsNotWhereTheTrainingEndsAnyway) {
  TrainOptions options = overfitting(trained(overfitting(8)).best_iteration + 1);
  options.early_stop = 1;
  const TrainResult result = trained(options);
  EXPECT_FALSE(result.stopped_early);
  EXPECT_EQ(result.kept_iteration, options.iterations);
}

}  // namespace
}  // namespace alsbench
