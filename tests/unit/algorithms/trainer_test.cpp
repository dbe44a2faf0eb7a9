// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/algorithms/rmse.h"
#include "harness/data/split.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

// A CPU device that claims little free memory, so rows are treated in batches.
class SmallDevice : public ForwardingDevice {
 public:
  explicit SmallDevice(int64_t capacity) : capacity_(capacity) {}
  std::unique_ptr<Executable> prepare(const Variant& v, const Config& c, const Shape& s) override {
    batches_seen_ = std::max(batches_seen_, (s.rows + s.launch_rows() - 1) / s.launch_rows());
    return ForwardingDevice::prepare(v, c, s);
  }
  int64_t batches_seen() const { return batches_seen_; }

 private:
  int64_t unused_bytes() const override {
    return std::max<int64_t>(0, capacity_ - inner().allocated_bytes());
  }

  int64_t capacity_;
  int64_t batches_seen_ = 0;
};

TEST(InitialFactors, AreUniformBelowAFifthAndReproducible) {
  const auto a = initial_factors(1000, 7, 3), b = initial_factors(1000, 7, 3);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, initial_factors(1000, 7, 4));
  double sum = 0;
  for (const float value : a) {
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 0.2f);
    sum += value;
  }
  EXPECT_NEAR(sum / static_cast<double>(a.size()), 0.1, 0.005);
}

TEST(FactorMatrix, PadsRowsWithZerosAndRoundTrips) {
  const auto device = open_cpu_device(1);
  FactorMatrix matrix(*device, 5, 3);
  const std::vector<float> dense = initial_factors(5, 3, 1);
  matrix.upload(dense);
  EXPECT_EQ(matrix.download(), dense);
  const FactorsView view = matrix.view();
  EXPECT_EQ(view.pitch % 8, 0);
  for (int row = 0; row < 5; ++row)
    for (int k = 3; k < view.pitch; ++k)
      EXPECT_EQ(static_cast<float*>(view.data)[row * view.pitch + k], 0.0f);
}

TEST(FactorMatrix, OfManyRowsRoundTrips) {
  const auto device = open_cpu_device(1);
  constexpr int64_t kRows = 600'000;  // 19 MB, beyond what is uploaded at a time
  FactorMatrix matrix(*device, kRows, 3);
  const std::vector<float> dense = initial_factors(kRows, 3, 1);
  matrix.upload(dense);
  EXPECT_EQ(matrix.download(), dense);
}

TEST(FactorMatrix, IsEmptyOnceItsRowsAreTaken) {
  const auto device = open_cpu_device(1);
  FactorMatrix matrix(*device, 600'000, 3);
  const std::vector<float> dense = initial_factors(600'000, 3, 1);
  matrix.upload(dense);
  EXPECT_EQ(matrix.take(), dense);
  EXPECT_EQ(matrix.bytes(), 0);
  EXPECT_EQ(device->allocated_bytes(), 0);
}

TEST(DeviceProblem, ReadsTheRatingsOfTheHostWhereItCan) {
  const RatingSet set = planted_set(60, 40, 0.5);
  const auto device = open_cpu_device(1);
  const DeviceProblem problem(*device, set, 8, 0.02f);
  EXPECT_EQ(problem.ratings(Side::x).indices, set.by_user.indices.data());
  EXPECT_EQ(problem.ratings(Side::theta).values, set.by_item.values.data());
  EXPECT_EQ(problem.bytes(), 0);
  device->limit_memory(int64_t{1} << 30);
  const DeviceProblem copied(*device, set, 8, 0.02f);
  EXPECT_NE(copied.ratings(Side::x).indices, set.by_user.indices.data());
  EXPECT_GT(copied.bytes(), 0);
}

// The set with so many users without ratings before each user.
RatingSet spread(RatingSet set, int64_t gap) {
  for (Csr* matrix : {&set.by_user, &set.test}) {
    std::vector<int64_t> offsets{0};
    for (int64_t row = 0; row < matrix->rows; ++row) {
      offsets.insert(offsets.end(), static_cast<size_t>(gap), offsets.back());
      offsets.push_back(matrix->offsets[row + 1]);
    }
    matrix->rows *= gap + 1;
    matrix->offsets = Array<int64_t>(offsets);
  }
  set.by_item = transpose(set.by_user);
  return set;
}

TEST(Trainer, RowsWithoutRatingsChangeNothingAndAreZero) {
  constexpr int64_t kGap = 700;
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(30, 20, 0.5);
  const RatingSet sparse = spread(set, kGap);
  for (const char* pipeline : {"exact", "exact-library", "cg-fp32"}) {
    const std::vector<float> x = factors_of(train(*device, set, options_of(pipeline)), "x");
    const std::vector<float> rows = factors_of(train(*device, sparse, options_of(pipeline)), "x");
    ASSERT_EQ(rows.size(), x.size() * (kGap + 1));
    for (size_t row = 0; row < rows.size() / 8; ++row)
      for (size_t k = 0; k < 8; ++k) {
        const bool rated = row % (kGap + 1) == kGap;
        ASSERT_EQ(rows[row * 8 + k], rated ? x[row / (kGap + 1) * 8 + k] : 0.0f) << row;
      }
  }
}

TEST(Trainer, ItemsWithoutRatingsAreZero) {
  const auto device = open_cpu_device(2);
  RatingSet set = spread(planted_set(30, 20, 0.5), 700);
  std::swap(set.by_user, set.by_item);
  set.test = empty_csr(set.by_user.rows, set.by_user.cols);
  const std::vector<float> theta = factors_of(train(*device, set, options_of("exact")), "theta");
  for (size_t k = 0; k < 8 * 700; ++k) ASSERT_EQ(theta[k], 0.0f) << k;
  EXPECT_NE(theta[8 * 700], 0.0f);
}

TEST(Trainer, SaysNothingOfIterationsThatAreNotJudged) {
  const auto device = open_cpu_device(2);
  TrainOptions options = options_of("cg-fp32");
  options.evaluation = {std::nullopt, EvaluatedRatings::test};
  const TrainResult result = train(*device, planted_set(60, 40, 0.5), options);
  for (const IterationRecord& record : result.iterations) {
    const bool last = record.iteration == options.iterations;
    EXPECT_EQ(std::isfinite(record.test_metric), last) << record.iteration;
    EXPECT_EQ(std::isfinite(record.mean_solver_steps), last) << record.iteration;
  }
}

TEST(Trainer, FitsPlantedRatings) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainResult result = train(*device, set, options_of("exact"));
  ASSERT_EQ(result.iterations.size(), 6u);
  EXPECT_LT(result.iterations.back().test_metric, 0.2);
  EXPECT_LT(result.iterations.back().train_metric, result.iterations.front().train_metric);
  EXPECT_EQ(result.failed_rows, 0);
}

TEST(Trainer, CgWithEnoughStepsFollowsTheExactCurve) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainResult exact = train(*device, set, options_of("exact"));
  const TrainResult cg = train(*device, set, options_of("cg-fp32"));
  const TrainResult half = train(*device, set, options_of("cg-fp16"));
  for (size_t i = 0; i < exact.iterations.size(); ++i)
    EXPECT_NEAR(cg.iterations[i].test_metric, exact.iterations[i].test_metric, 0.02) << i;
  EXPECT_NEAR(half.iterations.back().test_metric, exact.iterations.back().test_metric, 0.02);
  EXPECT_GT(cg.iterations.back().mean_solver_steps, 0);
  EXPECT_LE(cg.iterations.back().mean_solver_steps, 6);
}

TEST(Trainer, LateStepsAreThoseFromTheFourthIterationOn) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(200, 120, 0.3);
  const TrainResult ever = train(*device, set, options_of("update:matrix_free:steps=3"));
  const TrainResult late =
      train(*device, set, options_of("update:matrix_free:steps=3,late_steps=1"));
  ASSERT_EQ(late.iterations.size(), ever.iterations.size());
  for (size_t i = 0; i < late.iterations.size(); ++i) {
    EXPECT_EQ(late.iterations[i].test_metric == ever.iterations[i].test_metric, i < 3) << i;
    EXPECT_EQ(late.iterations[i].mean_solver_steps, i < 3 ? 3 : 1) << i;
  }
}

TEST(Trainer, AnUpdateStepTrainsAsItsPartsDo) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(60, 40, 0.5);
  const TrainResult parts = train(*device, set, options_of("cg-fp32"));
  const TrainResult whole = train(*device, set, options_of("fused"));
  ASSERT_EQ(whole.iterations.size(), parts.iterations.size());
  EXPECT_EQ(factors_of(whole, "x"), factors_of(parts, "x"));
  EXPECT_EQ(whole.iterations.back().mean_solver_steps, parts.iterations.back().mean_solver_steps);
  EXPECT_TRUE(whole.iterations.back().stage_seconds.contains("theta/update"));
}

TEST(Trainer, AnUpdateKeepsTheCopyThatTheOtherSideReads) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(60, 40, 0.5);
  const TrainResult parts =
      train(*device, set,
            options_of("hermitian:blocked:factors=fp16/bias:rows:factors=fp16/solve:cg:steps=6"));
  const TrainResult whole = train(*device, set, options_of("update:blocked:factors=fp16,steps=6"));
  EXPECT_EQ(factors_of(whole, "x"), factors_of(parts, "x"));
  EXPECT_EQ(factors_of(whole, "theta"), factors_of(parts, "theta"));
  for (const char* stage : {"x/convert", "theta/convert"}) {
    EXPECT_TRUE(parts.iterations.back().stage_seconds.contains(stage));
    EXPECT_FALSE(whole.iterations.back().stage_seconds.contains(stage));
  }
}

TEST(Trainer, IsDeterministicBySeed) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.3);
  TrainOptions options = options_of("exact");
  const TrainResult a = train(*device, set, options), b = train(*device, set, options);
  EXPECT_EQ(factors_of(a, "x"), factors_of(b, "x"));
  EXPECT_EQ(factors_of(a, "theta"), factors_of(b, "theta"));
  options.seed = 2;
  EXPECT_NE(factors_of(train(*device, set, options), "x"), factors_of(a, "x"));
}

TEST(Trainer, ThePeakOfMemoryIsItsOwnAndTheSameEveryTime) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.3);
  TrainOptions options = options_of("exact");
  const int64_t peak = train(*device, set, options).peak_device_bytes;
  EXPECT_GE(peak, DeviceProblem(*device, set, options.rank, options.lambda).bytes() +
                      (100 + 60) * factor_pitch(options.rank) * 4 + 100 * 8 * 8 * 4);
  const Buffer of_others = device->allocate(1 << 20);
  EXPECT_EQ(train(*device, set, options).peak_device_bytes, peak);
  options.rank = 16;
  EXPECT_GT(train(*device, set, options).peak_device_bytes, peak);
}

TEST(Trainer, ThePeakOfMemoryIsTheSameOnAProblemThatWasTrainedOnBefore) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.3);
  const TrainOptions options = options_of("exact");
  const DeviceProblem problem(*device, set, options.rank, options.lambda);
  const int64_t first = train(problem, options).peak_device_bytes;
  EXPECT_EQ(train(problem, options).peak_device_bytes, first);
}

// Of a problem and its factors, with so much besides them.
int64_t capacity_for(const RatingSet& set, const TrainOptions& options, int64_t beside) {
  const auto device = open_cpu_device(2);
  device->limit_memory(int64_t{1} << 30);  // else it reads the host's ratings
  const int64_t rows = set.by_user.rows + set.by_item.rows;
  return DeviceProblem(*device, set, options.rank, options.lambda).bytes() +
         rows * factor_pitch(options.rank) * 4 + beside;
}

TEST(Trainer, BatchesGiveTheSameFactors) {
  const RatingSet set = planted_set(100, 60, 0.3);
  const TrainOptions options = options_of("cg-fp32");  // A_u in memory
  SmallDevice small(capacity_for(set, options, 48 << 10));
  const TrainResult batched = train(small, set, options);
  EXPECT_GT(small.batches_seen(), 1);
  EXPECT_EQ(factors_of(batched, "x"), factors_of(train(*open_cpu_device(2), set, options), "x"));
}

TEST(Trainer, SaysWhenNotOneRowFits) {
  const RatingSet set = planted_set(20, 10, 0.5);
  const TrainOptions options = options_of("exact");
  SmallDevice small(capacity_for(set, options, 100));
  EXPECT_THROW(train(small, set, options), OutOfMemoryError);
}

TEST(Trainer, SaysWhenTheProblemDoesNotFit) {
  SmallDevice small(1000);
  EXPECT_TRUE(contains(thrown_by<OutOfMemoryError>(
                           [&] { train(small, planted_set(20, 10, 0.5), options_of("exact")); }),
                       "and 1000 are free"));
}

TEST(Trainer, StopsAtTheTargetRmse) {
  const auto device = open_cpu_device(2);
  TrainOptions options = options_of("exact");
  options.target = 10;
  const TrainResult result = train(*device, planted_set(100, 60, 0.3), options);
  EXPECT_TRUE(result.reached_target);
  EXPECT_EQ(result.iterations.size(), 1u);
}

TEST(Trainer, EmptyRowsGetZeroFactorsAndTheMeanAsPrediction) {
  const auto device = open_cpu_device(2);
  const RatingSet set = planted_set(100, 60, 0.3, 10);
  const TrainResult result = train(*device, set, options_of("cg-fp32"));
  EXPECT_EQ(result.empty_users, 10);
  for (size_t i = 90 * 8; i < 100 * 8; ++i) ASSERT_EQ(factors_of(result, "x")[i], 0.0f);
  const int64_t cold = set.test.offsets[100] - set.test.offsets[90];
  ASSERT_GT(cold, 0);
  EXPECT_EQ(result.iterations.back().cold_test_ratings, cold);
}

TEST(Trainer, NamesTheFirstNonFiniteFactor) {
  const auto device = open_cpu_device(2);
  const RatingSet set = set_with_an_infinite_rating();
  EXPECT_TRUE(contains(thrown_by<NonFiniteError>([&] { train(*device, set, options_of("exact")); }),
                       "non-finite factor in iteration 1"));
}

TEST(Rmse, CountsEveryRatingAtAnyLength) {
  const auto device = open_cpu_device(2);
  // Lengths around multiples of 256 and 1024: none may be left out.
  for (const int64_t n : {1, 255, 256, 257, 1023, 1024, 1025}) {
    std::vector<Rating> ratings;
    for (int64_t i = 0; i < n; ++i) ratings.push_back({static_cast<int32_t>(i), 0, 2.0f});
    RatingSet set;
    set.by_user = build_csr(ratings, n, 1);
    set.by_item = transpose(set.by_user);
    set.test = set.by_user;
    const DeviceProblem problem(*device, set, 4, 0.1f);
    const FactorMatrix x(*device, n, 4), theta(*device, 1, 4);
    const MetricValues values = RmseEvaluator(problem).of(x, theta, EvaluatedRatings::all);
    EXPECT_NEAR(values.train, 2.0, 1e-12) << n;
    EXPECT_NEAR(values.test, 2.0, 1e-12) << n;
    EXPECT_EQ(values.cold_test_ratings, 0);
  }
}

}  // namespace
}  // namespace alsbench
