// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent against plain loops in double, and its convergence without locks.
#include "kernels/cpu/reference/sgd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/sgd/sgd_factors.h"
#include "harness/algorithms/sgd/sgd_partition.h"
#include "harness/data/rating_list.h"
#include "kernels/shared/params/sgd.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/rating_sets.h"
#include "tests/unit/texts.h"
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

// One worker in double on lists of items' ratings in blocks: those of each member of a team.
class Serial {
 public:
  Serial(Device& device, const RatingSet& set, const TrainOptions& options, int members = 1)
      : problem_(device, set, options.rank, options.lambda), lambda_(options.lambda) {
    const SgdPartition partition(set, members);
    for (int step = 0; step < partition.steps(); ++step)
      for (int member = 0; member < members; ++member)
        lists_.push_back(
            rating_list(partition.ratings(Side::theta, member, step), "grid=16", options.seed));
    const SgdFactors start(problem_, Scalar::fp32, options.seed);
    x_ = rows_of(start.of(Side::x));
    theta_ = rows_of(start.of(Side::theta));
  }

  void epoch(double rate) {
    for (const RatingList& list : lists_)
      for (int32_t step = 0; step < list.grid; ++step)
        for (int32_t worker = 0; worker < list.grid; ++worker) {
          const int64_t block = worker * list.grid + column_block(worker, step, list.grid);
          for (int64_t i = list.blocks[block]; i < list.blocks[block + 1]; ++i)
            reference::sgd_update(theta_[list.rows[i]], x_[list.cols[i]], list.values[i],
                                  {rate, lambda_});
        }
  }

  double train_rmse() const {
    double sum = 0;
    int64_t ratings = 0;
    for (const RatingList& list : lists_) {
      ratings += list.count();
      for (int64_t i = 0; i < list.count(); ++i) {
        double error = list.values[i];
        for (int k = 0; k < kSgdRank; ++k)
          error -= theta_[list.rows[i]].values[k] * x_[list.cols[i]].values[k];
        sum += error * error;
      }
    }
    return std::sqrt(sum / static_cast<double>(ratings));
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
  double lambda_;
  std::vector<RatingList> lists_;
  std::vector<SgdRow> x_, theta_;
};

TEST(Sgd, FollowsPlainLoopsInDouble) {
  const RatingSet set = planted_set(200, 120, 0.3, 5);
  const TrainOptions options = sgd_options("sgd_epoch:blocked:grid=16", "rate=0.05,decay=0.2");
  for (const int members : {1, 2, 3}) {
    const auto team = team_of_cpus(members);
    const TrainResult result = train(*team, set, options);
    Serial serial(team->device(), set, options, members);
    for (const IterationRecord& record : result.iterations) {
      serial.epoch(0.05 / (1 + 0.2 * std::pow(record.iteration - 1, 1.5)));
      EXPECT_NEAR(record.train_metric, serial.train_rmse(), 1e-4)
          << record.iteration << " of " << members;
      EXPECT_TRUE(record.stage_seconds.contains("epoch/sgd_epoch"));
      EXPECT_EQ(record.stage_seconds.contains("epoch/exchange"), members > 1);
    }
    EXPECT_LT(result.iterations.back().train_metric, result.iterations.front().train_metric);
  }
}

TEST(SgdPartition, GivesEachRatingToOneMemberInOneStep) {
  for (const auto& set : {planted_set(200, 120, 0.3, 5), planted_set(3, 40, 0.9)})
    for (const int members : {1, 2, 5}) {
      const SgdPartition partition(set, members);
      EXPECT_EQ(partition.kept(), set.by_user.rows > set.by_item.rows ? Side::x : Side::theta);
      int64_t longest = 0;
      std::vector<std::vector<float>> values(static_cast<size_t>(set.by_user.rows));
      for (int step = 0; step < partition.steps(); ++step) {
        std::vector<int> members_of(static_cast<size_t>(set.by_user.rows + set.by_item.rows), 0);
        int64_t of_step = 0;
        for (int member = 0; member < members; ++member) {
          for (const Side side : {Side::x, Side::theta})
            for (int64_t i = 0; i < partition.rows(side, member, step).count; ++i)
              ++members_of[(side == Side::x ? 0 : set.by_user.rows) +
                           partition.rows(side, member, step).first + i];
          const Csr block = partition.ratings(Side::x, member, step);
          of_step = std::max(of_step, block.nnz());
          EXPECT_EQ(block.nnz(), partition.ratings(Side::theta, member, step).nnz());
          for (int64_t row = 0; row < block.rows; ++row)
            for (int64_t at = block.offsets[row]; at < block.offsets[row + 1]; ++at)
              values[row].push_back(block.values[at]);
        }
        for (const int count : members_of) EXPECT_EQ(count, 1);
        longest += of_step;
      }
      for (int64_t row = 0; row < set.by_user.rows; ++row) {
        std::vector<float> expected(set.by_user.values.begin() + set.by_user.offsets[row],
                                    set.by_user.values.begin() + set.by_user.offsets[row + 1]);
        std::sort(expected.begin(), expected.end());
        std::sort(values[row].begin(), values[row].end());
        EXPECT_EQ(values[row], expected);
      }
      EXPECT_DOUBLE_EQ(partition.largest_share(),
                       static_cast<double>(longest) / static_cast<double>(set.by_user.nnz()));
    }
}

TEST(Sgd, OfATeamRepeatsBitByBitAndGoesOnFromACheckpoint) {
  const RatingSet set = planted_set(200, 120, 0.3, 5);
  TrainOptions options = sgd_options("sgd_epoch:blocked:factors=fp16");
  std::vector<Checkpoint> checkpoints;
  options.checkpoint_every = 5;
  options.checkpoint = [&](const Checkpoint& checkpoint) { checkpoints.push_back(checkpoint); };
  const TrainResult once = train(*team_of_cpus(3), set, options);
  ASSERT_EQ(checkpoints.size(), 2u);
  const Checkpoint middle = checkpoints.front();
  for (const Checkpoint* from : {static_cast<const Checkpoint*>(nullptr), &middle}) {
    options.resume = from;
    const TrainResult again = train(*team_of_cpus(3), set, options);
    for (const char* part : {"x", "theta"})
      EXPECT_EQ(factors_of(again, part), factors_of(once, part));
  }
  ASSERT_TRUE(once.team);
  EXPECT_EQ(once.team->exchanges, 3);
  EXPECT_EQ(once.team->exchanged_bytes, 3 * 120 * kSgdRank * 2);
  EXPECT_GE(once.team->predicted.front().largest_share, 0.5);
}

TEST(Sgd, WithoutLocksEndsNearTheSerialRun) {
  constexpr double kNear = 0.02;  // the ratings' own deviation is 0.6
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(400, 300, 0.3);
  const double serial = train(*device, set, sgd_options("exact")).iterations.back().train_metric;
  for (const char* pipeline :
       {"lock-free", "sgd_epoch:lock_free:run=1", "sgd_epoch:lock_free:run=64,batch=64",
        "sgd_epoch:lock_free:factors=fp16", "sgd_epoch:blocked:factors=fp16"})
    for (const int members : {1, 2}) {
      const TrainResult result = train(*team_of_cpus(members), set, sgd_options(pipeline));
      EXPECT_NEAR(result.iterations.back().train_metric, serial, kNear) << pipeline << members;
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
  const RatingSet set = planted_set(100, 60, 0.4);
  const TrainOptions options = sgd_options("blocked", "rate=5");
  EXPECT_TRUE(contains(thrown_by<NonFiniteError>([&] { train(*device, set, options); }),
                       "iteration 1 is not finite; use a smaller rate"));
}

}  // namespace
}  // namespace alsbench
