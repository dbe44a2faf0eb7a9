// SPDX-License-Identifier: Apache-2.0
// ALS with biases against plain loops in double, and what its model holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "kernels/cpu/reference/reference.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TrainOptions biased_options(const std::string& pipeline, const std::string& more = "") {
  TrainOptions options = options_of(pipeline);
  options.recipe.hyper = parse_hyper(default_algorithm(), "biases=on" + more);
  return options;
}

// Alternates over users and items in double; a row's unknowns are its features and then its bias.
class PlainLoops {
 public:
  PlainLoops(const RatingSet& set, const TrainOptions& options)
      : set_(set), lambda_(options.lambda), features_(options.rank - 2) {
    const std::vector<float> start = initial_factors(set.by_item.rows, options.rank, options.seed);
    x_.resize(set.by_user.rows, reference::Vector(features_ + 1, 0.0));
    for (int64_t row = 0; row < set.by_item.rows; ++row) {
      theta_.emplace_back(start.begin() + row * options.rank,
                          start.begin() + row * options.rank + features_);
      theta_.back().push_back(0);
    }
  }
  void iterate() {
    update(set_.by_user, theta_, x_);
    update(set_.by_item, x_, theta_);
  }
  double train_rmse() const {
    double sum = 0;
    for (int64_t user = 0; user < set_.by_user.rows; ++user)
      for (int64_t k = set_.by_user.offsets[user]; k < set_.by_user.offsets[user + 1]; ++k) {
        const reference::Vector &x = x_[user], &theta = theta_[set_.by_user.indices[k]];
        double error = set_.by_user.values[k] - set_.mean - x.back() - theta.back();
        for (size_t i = 0; i < features_; ++i) error -= x[i] * theta[i];
        sum += error * error;
      }
    return std::sqrt(sum / static_cast<double>(set_.by_user.nnz()));
  }

 private:
  using Rows = std::vector<reference::Vector>;

  void update(const Csr& ratings, const Rows& fixed, Rows& rows) const {
    const size_t size = features_ + 1;
    reference::Vector known(size, 1.0);  // the last one is the factor of the row's bias
    for (int64_t row = 0; row < ratings.rows; ++row) {
      const int64_t begin = ratings.offsets[row], end = ratings.offsets[row + 1];
      if (begin == end) continue;
      reference::Vector a(size * size, 0.0), b(size, 0.0);
      for (int64_t k = begin; k < end; ++k) {
        const reference::Vector& other = fixed[ratings.indices[k]];
        const double left = ratings.values[k] - set_.mean - other.back();
        std::copy_n(other.begin(), features_, known.begin());
        for (size_t i = 0; i < size; ++i) {
          b[i] += left * known[i];
          for (size_t j = 0; j < size; ++j) a[i * size + j] += known[i] * known[j];
        }
      }
      for (size_t i = 0; i < size; ++i)
        a[i * size + i] += lambda_ * static_cast<double>(end - begin);
      rows[row] = reference::solve(std::move(a), std::move(b));
    }
  }

  const RatingSet& set_;
  double lambda_;
  size_t features_;
  Rows x_, theta_;
};

TEST(Biases, FollowPlainLoopsInDouble) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3, 10);
  for (const char* pipeline : {"exact", "hermitian:blocked/bias:rows/solve:cg:steps=8"}) {
    const TrainOptions options = biased_options(pipeline);
    const TrainResult result = train(*device, set, options);
    PlainLoops plain(set, options);
    for (const IterationRecord& record : result.iterations) {
      plain.iterate();
      EXPECT_NEAR(record.train_metric, plain.train_rmse(), 1e-4)
          << pipeline << ", iteration " << record.iteration;
    }
  }
}

// As they stand in the files: the dot product of two rows is the prediction.
TEST(Biases, AreTwoColumnsOfTheModel) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3, 10);
  const TrainOptions options = biased_options("exact");
  const TrainResult result = train(*device, set, options);
  const std::vector<float> x = factors_of(result, "x"), theta = factors_of(result, "theta");
  const size_t rank = options.rank;
  double squares = 0;
  for (int64_t user = 0; user < set.by_user.rows; ++user) {
    const bool empty = set.by_user.offsets[user] == set.by_user.offsets[user + 1];
    EXPECT_EQ(x[user * rank + rank - 1], empty ? 0 : 1);
    if (empty) {
      EXPECT_EQ(x[user * rank + rank - 2], 0);
    }
    for (int64_t k = set.by_user.offsets[user]; k < set.by_user.offsets[user + 1]; ++k) {
      double error = set.by_user.values[k];
      for (size_t i = 0; i < rank; ++i)
        error -= double{x[user * rank + i]} * theta[set.by_user.indices[k] * rank + i];
      squares += error * error;
    }
  }
  for (int64_t item = 0; item < set.by_item.rows; ++item)
    EXPECT_EQ(theta[item * rank + rank - 2], 1);
  EXPECT_NEAR(result.iterations.back().train_metric,
              std::sqrt(squares / static_cast<double>(set.by_user.nnz())), 1e-5);
}

// Ratings that are nothing but a mean and biases: hardly a feature is needed.
TEST(Biases, ExplainRatingsThatAreSums) {
  const auto device = open_cpu_device(2);
  RatingSet set = planted_set(150, 90, 0.4);
  std::vector<float> values;
  for (int64_t user = 0; user < set.by_user.rows; ++user)
    for (int64_t k = set.by_user.offsets[user]; k < set.by_user.offsets[user + 1]; ++k)
      values.push_back(static_cast<float>(10 + user % 7 - set.by_user.indices[k] % 5));
  set.by_user.values = Array<float>(values);
  set.by_item = transpose(set.by_user);
  set.mean = 0;
  for (const float value : values) set.mean += value / static_cast<double>(values.size());
  TrainOptions biased = biased_options("exact"), plain = options_of("exact");
  biased.rank = plain.rank = 3;
  const auto rmse = [&](const TrainOptions& options) {
    return train(*device, set, options).iterations.back().train_metric;
  };
  EXPECT_LT(rmse(biased), 0.8 * rmse(plain));
}

TEST(Biases, GoOnFromACheckpointWithTheSameBits) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.4);
  TrainOptions options = biased_options("hermitian:blocked/bias:rows/solve:cg:steps=3");
  Checkpoint kept;
  options.checkpoint_every = 4;
  options.checkpoint = [&](const Checkpoint& checkpoint) { kept = checkpoint; };
  const TrainResult whole = train(*device, set, options);
  ASSERT_EQ(kept.iterations.size(), 4u);
  options.resume = &kept;
  const TrainResult resumed = train(*device, set, options);
  for (const char* name : {"x", "theta"})
    EXPECT_EQ(factors_of(resumed, name), factors_of(whole, name)) << name;
}

void expect_refused(const TrainOptions& options, const std::string& reason) {
  const auto device = open_cpu_device(1);
  EXPECT_TRUE(contains(
      thrown_by<ObjectionError>([&] { train(*device, planted_set(50, 30, 0.4), options); }),
      reason));
}

TEST(Biases, AreRefusedWhereTheyDoNotGo) {
  expect_refused(biased_options("exact", ",start=sketch"), "leave out start");
  expect_refused(biased_options("exact", ",rotated_iterations=2"), "leave out start");
  TrainOptions small = biased_options("exact");
  small.rank = 2;
  expect_refused(small, "choose rank 3 or more");
  EXPECT_TRUE(contains(
      thrown_by([&] { parse_hyper(algorithm_named("implicit-als"), "alpha=2,biases=on"); }),
      "every cell without a rating"));
}

}  // namespace
}  // namespace alsbench
