// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent against plain loops in double, and its convergence without locks.
#include "kernels/cpu/reference/sgd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/sgd/sgd_factors.h"
#include "harness/data/rating_list.h"
#include "kernels/shared/params/sgd.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/rating_sets.h"
#include "variants/core/error.h"
#include "variants/sgd/sgd.h"

namespace alsbench {
namespace {

using reference::SgdRow;

constexpr int32_t kSgdRank = 8;

TrainOptions sgd_options(const std::string& pipeline, const std::string& hyper = "") {
  TrainOptions options;
  options.recipe = recipe_of(algorithm_named("sgd"), pipeline, hyper);
  options.rank = kSgdRank;
  options.lambda = 0.02f;
  options.iterations = 12;
  return options;
}

// One worker in double on a list of items' ratings in blocks.
class Serial {
 public:
  Serial(Device& device, const RatingSet& set, const TrainOptions& options)
      : problem_(device, set, options.rank, options.lambda),
        list_(rating_list(set.by_item, "grid=16", options.seed)),
        lambda_(options.lambda) {
    const SgdFactors start(problem_, Scalar::fp32, options.seed);
    x_ = rows_of(start.of(Side::x));
    theta_ = rows_of(start.of(Side::theta));
  }

  void epoch(double rate) {
    for (int32_t step = 0; step < list_.grid; ++step)
      for (int32_t worker = 0; worker < list_.grid; ++worker) {
        const int64_t block = worker * list_.grid + column_block(worker, step, list_.grid);
        for (int64_t i = list_.blocks[block]; i < list_.blocks[block + 1]; ++i)
          reference::sgd_update(theta_[list_.rows[i]], x_[list_.cols[i]], list_.values[i],
                                {rate, lambda_});
      }
  }

  double train_rmse() const {
    double sum = 0;
    for (int64_t i = 0; i < list_.count(); ++i) {
      double error = list_.values[i];
      for (int k = 0; k < kSgdRank; ++k)
        error -= theta_[list_.rows[i]].values[k] * x_[list_.cols[i]].values[k];
      sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(list_.count()));
  }

 private:
  static std::vector<SgdRow> rows_of(const FactorMatrix& factors) {
    const std::vector<float> values = factors.download();
    std::vector<SgdRow> rows;
    for (auto at = values.begin(); at != values.end(); at += kSgdRank)
      rows.emplace_back(reference::Vector(at, at + kSgdRank));
    return rows;
  }

  DeviceProblem problem_;
  RatingList list_;
  double lambda_;
  std::vector<SgdRow> x_, theta_;
};

TEST(Sgd, FollowsPlainLoopsInDouble) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3, 5);
  const TrainOptions options = sgd_options("sgd_epoch:blocked:grid=16", "rate=0.05,decay=0.2");
  const TrainResult result = train(*device, set, options);
  Serial serial(*device, set, options);
  for (const IterationRecord& record : result.iterations) {
    serial.epoch(0.05 / (1 + 0.2 * std::pow(record.iteration - 1, 1.5)));
    EXPECT_NEAR(record.train_metric, serial.train_rmse(), 1e-4) << record.iteration;
    EXPECT_TRUE(record.stage_seconds.contains("epoch/sgd_epoch"));
  }
  EXPECT_LT(result.iterations.back().train_metric, result.iterations.front().train_metric);
}

TEST(Sgd, WithoutLocksEndsNearTheSerialRun) {
  constexpr double kNear = 0.02;  // the ratings' own deviation is 0.6
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(400, 300, 0.3);
  const double serial = train(*device, set, sgd_options("exact")).iterations.back().train_metric;
  for (const char* pipeline :
       {"lock-free", "sgd_epoch:lock_free:run=1", "sgd_epoch:lock_free:run=64,batch=64",
        "sgd_epoch:lock_free:factors=fp16", "sgd_epoch:blocked:factors=fp16"}) {
    const TrainResult result = train(*device, set, sgd_options(pipeline));
    EXPECT_NEAR(result.iterations.back().train_metric, serial, kNear) << pipeline;
  }
}

TEST(Sgd, InBlocksRepeatsBitByBitOnAnyNumberOfThreads) {
  const RatingSet set = planted_set(100, 60, 0.4, 3);
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  const TrainResult a = train(*one, set, sgd_options("blocked"));
  const TrainResult b = train(*two, set, sgd_options("blocked"));
  ASSERT_EQ(a.model.size(), 2u);
  for (size_t i = 0; i < a.model.size(); ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
}

TEST(Sgd, EmptyRowsStayZeroAndTheirTestRatingsAreCounted) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.3, 10);
  const TrainResult result = train(*device, set, sgd_options("lock-free"));
  ASSERT_EQ(result.model[0].name, "x");
  for (size_t i = 90 * kSgdRank; i < 100 * kSgdRank; ++i)
    ASSERT_EQ(result.model[0].values[i], 0.0f);
  EXPECT_EQ(result.iterations.back().cold_test_ratings,
            set.test.offsets[100] - set.test.offsets[90]);
}

TEST(Sgd, NegativeRatingsTrainAsWell) {
  const auto device = open_cpu_device(2);
  RatingSet set = planted_set(200, 120, 0.3);
  const double expected =
      train(*device, set, sgd_options("blocked")).iterations.back().train_metric;
  std::vector<float> values(set.by_user.values.begin(), set.by_user.values.end());
  for (float& value : values) value = -value;
  set.by_user.values = Array<float>(values);
  set.by_item = transpose(set.by_user);
  set.mean = -set.mean;
  const TrainResult result = train(*device, set, sgd_options("blocked"));
  EXPECT_NEAR(result.iterations.back().train_metric, expected, 0.2 * expected);
}

TEST(Sgd, ARateThatDivergesIsAnErrorThatSaysSo) {
  const auto device = open_cpu_device(2);
  try {
    train(*device, planted_set(100, 60, 0.4), sgd_options("blocked", "rate=5"));
    FAIL() << "it did not diverge";
  } catch (const NonFiniteError& error) {
    EXPECT_NE(std::string(error.what()).find("iteration 1 is not finite; use a smaller rate"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace alsbench
