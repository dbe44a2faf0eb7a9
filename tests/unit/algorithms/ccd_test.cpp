// SPDX-License-Identifier: Apache-2.0
// CCD++ against its textbook form in double, and the objective, which no update may raise.
#include "variants/ccd/ccd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/train/train.h"
#include "tests/unit/rating_sets.h"

namespace alsbench {
namespace {

constexpr int32_t kCcdRank = 6;

TrainOptions ccd_options(const std::string& pipeline, const std::string& hyper = "") {
  const Algorithm& algorithm = algorithm_named("ccd");
  TrainOptions options;
  options.recipe =
      uniform_recipe(algorithm, parse_pipeline(ccd_pipelines(), pipeline, Backend::cpu));
  options.recipe.hyper = parse_hyper(algorithm, hyper);
  options.rank = kCcdRank;
  options.lambda = 0.05f;
  options.iterations = 8;
  return options;
}

// Factors in double, rows x rank.
struct CcdModel {
  std::vector<double> x, theta;
  double error(const Csr& ratings, int64_t user, int64_t k) const {
    double sum = ratings.values[k];
    for (int i = 0; i < kCcdRank; ++i)
      sum -= x[user * kCcdRank + i] * theta[ratings.indices[k] * kCcdRank + i];
    return sum;
  }
};

template <class Visit>
void for_each_rating(const Csr& ratings, const Visit& visit) {
  for (int64_t row = 0; row < ratings.rows; ++row)
    for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) visit(row, k);
}

// The regularised loss: every rating adds lambda times both its rows' squares.
double objective(const Csr& ratings, const CcdModel& model, double lambda) {
  double sum = 0;
  for_each_rating(ratings, [&](int64_t user, int64_t k) {
    sum += std::pow(model.error(ratings, user, k), 2);
    for (int i = 0; i < kCcdRank; ++i)
      sum += lambda * (std::pow(model.x[user * kCcdRank + i], 2) +
                       std::pow(model.theta[ratings.indices[k] * kCcdRank + i], 2));
  });
  return sum;
}

// Algorithm 2 of Yu et al. without residuals: each value minimises the loss, all others fixed.
class Textbook {
 public:
  Textbook(const RatingSet& set, double lambda, uint64_t seed)
      : ratings_(set.by_user), lambda_(lambda) {
    const std::vector<float> theta = initial_factors(set.by_item.rows, kCcdRank, seed);
    model_.x.assign(static_cast<size_t>(ratings_.rows * kCcdRank), 0.0);
    model_.theta.assign(theta.begin(), theta.end());
  }
  void iterate(int updates) {
    for (int feature = 0; feature < kCcdRank; ++feature)
      for (int update = 0; update < updates; ++update)
        for (const bool users : {true, false}) minimise(feature, users);
  }
  const CcdModel& model() const { return model_; }

 private:
  void minimise(int feature, bool users) {
    std::vector<double>& own = users ? model_.x : model_.theta;
    const std::vector<double>& other = users ? model_.theta : model_.x;
    products_.assign(own.size(), 0.0);
    squares_.assign(own.size(), 0.0);
    for_each_rating(ratings_, [&](int64_t user, int64_t k) {
      const int64_t item = ratings_.indices[k];
      const int64_t at = (users ? user : item) * kCcdRank + feature;
      const double factor = other[(users ? item : user) * kCcdRank + feature];
      products_[at] += (model_.error(ratings_, user, k) + own[at] * factor) * factor;
      squares_[at] += lambda_ + factor * factor;
    });
    for (size_t at = feature; at < own.size(); at += kCcdRank)
      if (squares_[at] > 0) own[at] = products_[at] / squares_[at];
  }

  const Csr& ratings_;
  double lambda_;
  CcdModel model_;
  std::vector<double> products_, squares_;
};

CcdModel model_of(const std::vector<ModelMatrix>& model) {
  const auto matrix = [&](size_t i) {
    return std::vector<double>(model[i].values.begin(), model[i].values.end());
  };
  return {matrix(0), matrix(1)};
}

TrainResult trained(const RatingSet& set, const TrainOptions& options) {
  const auto device = open_cpu_device(2);
  return train(*device, set, options);
}

TEST(Ccd, FollowsTheTextbookInDouble) {
  const RatingSet set = planted_set(80, 50, 0.3);
  for (const auto& [pipeline, updates] : {std::pair{"fused", 1}, {"fused", 3}, {"exact", 2}}) {
    const TrainOptions options = ccd_options(pipeline, "inner=" + std::to_string(updates));
    const TrainResult result = trained(set, options);
    Textbook textbook(set, options.lambda, options.seed);
    for (const IterationRecord& record : result.iterations) {
      textbook.iterate(updates);
      double squares = 0;
      for_each_rating(set.by_user, [&](int64_t user, int64_t k) {
        squares += std::pow(textbook.model().error(set.by_user, user, k), 2);
      });
      EXPECT_NEAR(record.train_metric, std::sqrt(squares / static_cast<double>(set.by_user.nnz())),
                  1e-4)
          << pipeline << ", inner=" << updates << ", iteration " << record.iteration;
    }
    for (const char* part : {"x", "theta"})
      for (const char* stage : {"/ccd_update", "/ccd_next"})
        EXPECT_TRUE(result.iterations[0].stage_seconds.contains(part + std::string(stage)));
  }
}

TEST(Ccd, NeverRaisesTheRegularisedLoss) {
  const RatingSet set = planted_set(150, 60, 0.3);
  for (const char* hyper : {"inner=1", "inner=2"}) {
    TrainOptions options = ccd_options("fused", hyper);
    options.iterations = 30;
    std::vector<double> losses;
    options.checkpoint_every = 1;
    options.checkpoint = [&](const Checkpoint& checkpoint) {
      losses.push_back(objective(set.by_user, model_of(checkpoint.model), options.lambda));
    };
    trained(set, options);
    ASSERT_EQ(losses.size(), 29u);  // none after the last iteration
    for (size_t i = 1; i < losses.size(); ++i)
      EXPECT_LE(losses[i], losses[i - 1] * (1 + 1e-6)) << hyper << ", iteration " << i + 1;
    EXPECT_LT(losses.back(), 0.5 * losses.front());
  }
}

TEST(Ccd, ComesToTheLossOfAls) {
  const RatingSet set = planted_set(200, 120, 0.4);
  TrainOptions als;
  als.recipe = exact_recipe(default_algorithm(), Backend::cpu);
  als.rank = kCcdRank;
  als.lambda = 0.05f;
  als.iterations = 40;
  TrainOptions ccd = ccd_options("fused");
  ccd.iterations = 120;
  const auto loss = [&](const TrainOptions& options) {
    return objective(set.by_user, model_of(trained(set, options).model), 0.05);
  };
  const double expected = loss(als);
  EXPECT_NEAR(loss(ccd), expected, 0.01 * expected);
}

TEST(Ccd, RepeatsBitByBitOnAnyNumberOfThreads) {
  const RatingSet set = planted_set(100, 60, 0.4);
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  const TrainResult a = train(*one, set, ccd_options("fused"));
  const TrainResult b = train(*two, set, ccd_options("fused"));
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
}

TEST(Ccd, GoesOnFromACheckpoint) {
  const RatingSet set = planted_set(100, 60, 0.4);
  const auto device = open_cpu_device(2);
  TrainOptions options = ccd_options("fused");
  Checkpoint kept;
  options.checkpoint_every = 5;
  options.checkpoint = [&](const Checkpoint& checkpoint) { kept = checkpoint; };
  const TrainResult whole = train(*device, set, options);
  ASSERT_EQ(kept.iterations.size(), 5u);
  options.resume = &kept;
  const TrainResult resumed = train(*device, set, options);
  ASSERT_EQ(resumed.iterations.size(), whole.iterations.size());
  EXPECT_NEAR(resumed.iterations.back().train_metric, whole.iterations.back().train_metric, 1e-5);
}

TEST(Ccd, RowsWithoutRatingsAreZero) {
  const RatingSet set = planted_set(100, 60, 0.3, 10);
  const TrainResult result = trained(set, ccd_options("exact"));
  ASSERT_EQ(result.model[0].name, "x");
  for (size_t i = 90 * kCcdRank; i < 100 * kCcdRank; ++i)
    ASSERT_EQ(result.model[0].values[i], 0.0f);
  EXPECT_GT(result.iterations.back().cold_test_ratings, 0);
}

}  // namespace
}  // namespace alsbench
