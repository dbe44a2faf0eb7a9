// SPDX-License-Identifier: Apache-2.0
// The hyper-parameters of ALS: bases, over-relaxation, samples and starts.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TrainOptions with_hyper(TrainOptions options, const std::string& text) {
  options.recipe.hyper = parse_hyper(*options.recipe.algorithm, text);
  return options;
}

TrainOptions rotated(TrainOptions options, const std::string& iterations) {
  return with_hyper(std::move(options), "rotated_iterations=" + iterations);
}

// The largest distance of a curve from another one.
double departure(const TrainResult& result, const TrainResult& other) {
  double largest = 0;
  for (size_t i = 0; i < other.iterations.size(); ++i)
    largest = std::max(
        largest, std::abs(result.iterations[i].train_metric - other.iterations[i].train_metric));
  return largest;
}

TEST(Trainer, ARotatedBasisPredictsTheSame) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainResult given = train(*device, set, options_of("exact"));
  const TrainResult turned = train(*device, set, rotated(options_of("exact"), "3"));
  for (size_t i = 0; i < given.iterations.size(); ++i)
    EXPECT_NEAR(turned.iterations[i].test_metric, given.iterations[i].test_metric, 1e-5) << i;
  EXPECT_NE(factors_of(turned, "x"), factors_of(given, "x"));
  for (const char* stage : {"x/gram", "x/eigenvectors", "x/rotate", "theta/rotate"}) {
    EXPECT_TRUE(turned.iterations[2].stage_seconds.contains(stage)) << stage;
    EXPECT_FALSE(turned.iterations[3].stage_seconds.contains(stage)) << stage;
  }
}

// 0.0017 and 0.0296 of RMSE in the worst iteration.
TEST(Trainer, InARotatedBasisTwoPreconditionedStepsFollowTheExactCurve) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(1000, 600, 0.3);
  const TrainResult exact = train(*device, set, options_of("exact"));
  const TrainResult plain = train(*device, set, options_of("update:blocked:steps=2"));
  const TrainResult turned =
      train(*device, set, rotated(options_of("update:blocked:steps=2,precondition=jacobi"), "3"));
  EXPECT_LT(10 * departure(turned, exact), departure(plain, exact));
}

// The copy that is read is of the factors as they were turned.
TEST(Trainer, ARotationRoundsTheFactorsAnew) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  for (const char* pipeline :
       {"update:blocked:factors=fp16,steps=6",
        "hermitian:blocked:factors=fp16/bias:rows:factors=fp16/solve:cg:steps=6"}) {
    const TrainResult given = train(*device, set, options_of(pipeline));
    const TrainResult turned = train(*device, set, rotated(options_of(pipeline), "6"));
    for (size_t i = 0; i < given.iterations.size(); ++i)
      EXPECT_NEAR(turned.iterations[i].test_metric, given.iterations[i].test_metric, 5e-3) << i;
    EXPECT_TRUE(turned.iterations[5].stage_seconds.contains("theta/convert")) << pipeline;
  }
}

TEST(Trainer, ARotatedTrainingRepeatsBitByBit) {
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainOptions options =
      rotated(options_of("update:matrix_free:steps=2,precondition=jacobi"), "3");
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  const TrainResult a = train(*one, set, options), b = train(*two, set, options);
  EXPECT_EQ(factors_of(a, "x"), factors_of(b, "x"));
  EXPECT_EQ(factors_of(a, "theta"), factors_of(b, "theta"));
}

TEST(Trainer, OverRelaxationCarriesXOnInTheSecondIterationAlone) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const auto trained = [&](const char* weight, int iterations) {
    TrainOptions options =
        with_hyper(options_of("exact"), std::string("over_relaxation=") + weight);
    options.iterations = iterations;
    return train(*device, set, options);
  };
  const std::vector<float> first = factors_of(trained("0", 1), "x"),
                           second = factors_of(trained("0", 2), "x"),
                           relaxed = factors_of(trained("0.6", 2), "x");
  for (size_t i = 0; i < relaxed.size(); ++i)
    ASSERT_NEAR(relaxed[i], second[i] + 0.6f * (second[i] - first[i]), 1e-5) << i;
  const TrainResult result = trained("0.6", 4);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(result.iterations[i].stage_seconds.contains("x/over_relaxation"), i == 1) << i;
}

// X is that of exact ALS carried on, whatever basis it is in and whatever copies are read.
TEST(Trainer, OverRelaxationGoesWithABasisAndWithCopies) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainResult exact =
      train(*device, set, with_hyper(options_of("exact"), "over_relaxation=0.6"));
  const auto test = [&](const char* pipeline, const char* hyper) {
    const TrainResult result = train(*device, set, with_hyper(options_of(pipeline), hyper));
    for (size_t i = 0; i < exact.iterations.size(); ++i)
      EXPECT_NEAR(result.iterations[i].test_metric, exact.iterations[i].test_metric, 5e-3)
          << pipeline << " " << hyper << " " << i;
  };
  test("exact", "over_relaxation=0.6,rotated_iterations=3");
  test("hermitian:blocked:factors=fp16/bias:rows:factors=fp16/solve:cholesky",
       "over_relaxation=0.6");
  test("update:blocked:factors=fp16,steps=20", "over_relaxation=0.6");
}

TEST(Trainer, ASampledFirstUpdateLosesLittleByTheEnd) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(1000, 600, 0.3);
  const TrainResult plain = train(*device, set, options_of("exact"));
  const TrainResult sampled =
      train(*device, set, with_hyper(options_of("exact"), "first_share=0.5"));
  EXPECT_NE(sampled.iterations[0].test_metric, plain.iterations[0].test_metric);
  EXPECT_LT(sampled.iterations[5].test_metric, plain.iterations[5].test_metric + 1e-3);
  EXPECT_TRUE(sampled.iterations[0].stage_seconds.contains("x/subsample"));
  EXPECT_FALSE(sampled.iterations[1].stage_seconds.contains("x/subsample"));
}

TEST(Trainer, ASampleOfRowsShorterThanTheLeastIsAllOfThem) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 60, 0.5);
  const TrainResult plain = train(*device, set, options_of("exact"));
  const TrainResult sampled = train(*device, set, with_hyper(options_of("exact"), "first_share=0"));
  EXPECT_EQ(factors_of(sampled, "x"), factors_of(plain, "x"));
}

// Equal bits on any number of threads; rows without ratings stay zero.
TEST(Trainer, AnAcceleratedTrainingRepeatsBitByBit) {
  const RatingSet set = planted_set(1000, 600, 0.3, 10);
  const TrainOptions options =
      with_hyper(options_of("update:matrix_free:steps=6"), "over_relaxation=0.6,first_share=0.3");
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  const TrainResult a = train(*one, set, options), b = train(*two, set, options);
  EXPECT_EQ(factors_of(a, "x"), factors_of(b, "x"));
  EXPECT_EQ(factors_of(a, "theta"), factors_of(b, "theta"));
  for (size_t i = 990 * 8; i < 1000 * 8; ++i) ASSERT_EQ(factors_of(a, "x")[i], 0.0f);
}

TEST(Trainer, ASketchStartsNearerToTheModel) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(1000, 600, 0.3);
  const TrainResult uniform = train(*device, set, options_of("exact"));
  const TrainResult sketch = train(*device, set, with_hyper(options_of("exact"), "start=sketch"));
  EXPECT_LT(sketch.iterations[0].test_metric, 0.5 * uniform.iterations[0].test_metric);
  EXPECT_LT(sketch.iterations[5].test_metric, 0.1);
  double start = 0;
  for (const char* stage : {"subsample", "bias", "gram", "basis", "rotate", "blend"}) {
    const std::string key = std::string("start/") + stage;
    ASSERT_TRUE(sketch.iterations[0].stage_seconds.contains(key)) << key;
    EXPECT_FALSE(sketch.iterations[1].stage_seconds.contains(key)) << key;
    start += sketch.iterations[0].stage_seconds.at(key);
  }
  double all = 0;
  for (const auto& [stage, seconds] : sketch.iterations[0].stage_seconds) all += seconds;
  EXPECT_GT(start, 0);
  EXPECT_NEAR(sketch.iterations[0].seconds, all, 1e-9) << "the start counts";
}

TEST(Trainer, AConstantStartHasOneInItsFirstColumn) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  TrainOptions options = with_hyper(options_of("exact"), "start=constant");
  const TrainResult constant = train(*device, set, options);
  const TrainResult uniform = train(*device, set, options_of("exact"));
  EXPECT_NE(constant.iterations[0].test_metric, uniform.iterations[0].test_metric);
  EXPECT_LT(constant.iterations[5].test_metric, uniform.iterations[5].test_metric + 0.02);
  // X of the first update is then mean / (1 + lambda) in its first column, or near it
  options.iterations = 1;
  options.rank = 1;
  const std::vector<float> x = factors_of(train(*device, set, options), "x");
  for (size_t row = 0; row < x.size(); ++row) {
    double sum = 0;
    const int64_t begin = set.by_user.offsets[row], end = set.by_user.offsets[row + 1];
    for (int64_t cell = begin; cell < end; ++cell) sum += set.by_user.values[cell];
    const double mean = end > begin ? sum / static_cast<double>(end - begin) : 0;
    ASSERT_NEAR(x[row], mean / (1 + options.lambda), 1e-4) << row;
  }
}

// Equal bits on any number of threads, whatever the pipeline reads; rows without ratings stay zero.
TEST(Trainer, AStartRepeatsBitByBit) {
  const RatingSet set = planted_set(400, 300, 0.3, 10);
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  for (const char* pipeline :
       {"update:blocked:factors=fp16,steps=6", "update:matrix_free:steps=2,precondition=jacobi"})
    for (const char* hyper : {"start=constant", "start=sketch", "start=sketch,sketch_share=1",
                              "start=sketch,rotated_iterations=2,over_relaxation=0.6"}) {
      const TrainOptions options = with_hyper(options_of(pipeline), hyper);
      const TrainResult a = train(*one, set, options), b = train(*two, set, options);
      EXPECT_EQ(factors_of(a, "x"), factors_of(b, "x")) << hyper;
      EXPECT_EQ(factors_of(a, "theta"), factors_of(b, "theta")) << hyper;
      for (size_t i = 390 * 8; i < 400 * 8; ++i) ASSERT_EQ(factors_of(a, "x")[i], 0.0f) << hyper;
    }
}

// The copy that the first update reads is of the sketch.
TEST(Trainer, ASketchIsRoundedAnew) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(400, 300, 0.3);
  const TrainResult exact = train(*device, set, with_hyper(options_of("exact"), "start=sketch"));
  const TrainResult half = train(
      *device, set,
      with_hyper(options_of("hermitian:blocked:factors=fp16/bias:rows:factors=fp16/solve:cholesky"),
                 "start=sketch"));
  for (size_t i = 0; i < exact.iterations.size(); ++i)
    EXPECT_NEAR(half.iterations[i].test_metric, exact.iterations[i].test_metric, 5e-3) << i;
}

RatingSet set_of(const std::vector<Rating>& ratings, int64_t rows, int64_t cols) {
  RatingSet set;
  set.by_user = build_csr(ratings, rows, cols);
  set.by_item = transpose(set.by_user);
  set.test = set.by_user;
  for (const Rating& rating : ratings) set.mean += rating.value;
  set.mean /= static_cast<double>(ratings.size());
  return set;
}

// Fewer rows than the rank, and ratings without any direction.
TEST(Trainer, ASketchOfLittleIsAStartToo) {
  const auto device = open_cpu_device(2);
  std::vector<Rating> few, equal;
  for (int32_t user = 0; user < 5; ++user)
    for (int32_t item = 0; item < 6; ++item) {
      few.push_back({user, item, static_cast<float>((user * item) % 5 + 1)});
      equal.push_back({user, item, 3.0f});
    }
  for (const int32_t rank : {1, 2, 8}) {
    TrainOptions options = options_of("exact");
    options.rank = rank;
    const TrainOptions sketched = with_hyper(options, "start=sketch");
    EXPECT_LT(train(*device, set_of(few, 5, 6), sketched).iterations.back().train_metric, 1.5);
    const TrainResult flat = train(*device, set_of(equal, 5, 6), sketched);
    EXPECT_LT(flat.iterations.back().train_metric, 0.2) << rank;
  }
}

TEST(Trainer, ASketchLeavesABadRatingToTheIterationThatNamesIt) {
  const auto device = open_cpu_device(2);
  const RatingSet set = set_with_an_infinite_rating();
  EXPECT_THROW(train(*device, set, with_hyper(options_of("exact"), "start=sketch")),
               NonFiniteError);
}

TEST(Trainer, HyperParametersThatAreSharesEndAtOne) {
  for (const char* text :
       {"over_relaxation=1.5", "first_share=2", "first_share=-0.5", "sketch_share=1.1"})
    EXPECT_TRUE(contains(thrown_by([&] { parse_hyper(default_algorithm(), text); }),
                         "give a number from 0 to 1"));
}

}  // namespace
}  // namespace alsbench
