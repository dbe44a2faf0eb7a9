// SPDX-License-Identifier: Apache-2.0
// Trainings on devices that do not hold all ratings.
#include "base/error.h"
#include "harness/problem/streamed_ratings.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const RatingSet& set_of_all() {
  static const RatingSet set = planted_set(3000, 400, 0.2);
  return set;
}

TrainResult train_within(int64_t bytes, const TrainOptions& options) {
  const auto device = open_cpu_device(2);
  device->limit_memory(bytes);
  return train(*device, set_of_all(), options);
}

// Such a part of the ratings of both sides, and what else there is.
int64_t bytes_for(int part, int of) {
  return set_of_all().by_user.nnz() * 16 * part / of + (int64_t{3} << 19);
}

TEST(Blocks, AreWholeStepsOfAtMostSoManyRatings) {
  const Array<int64_t> offsets(std::vector<int64_t>{0, 3, 5, 5, 9, 10, 16});
  const auto ends = [&](RowRange rows, int64_t step, int64_t maximum) {
    std::vector<int64_t> found;
    for (const RowRange& block : blocks_of(offsets, rows, step, maximum))
      found.push_back(block.end());
    return found;
  };
  EXPECT_EQ(ends({0, 6}, 1, 6), (std::vector<int64_t>{3, 5, 6}));
  EXPECT_EQ(ends({0, 6}, 1, 100), (std::vector<int64_t>{6}));
  EXPECT_EQ(ends({0, 6}, 4, 9), (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(ends({2, 3}, 1, 4), (std::vector<int64_t>{4, 5}));
  EXPECT_TRUE(ends({2, 0}, 1, 4).empty());
  EXPECT_EQ(min_block_ratings(offsets, {0, 6}, 4), 9);
  EXPECT_THROW(blocks_of(offsets, {0, 6}, 1, 5), OutOfMemoryError);
}

TEST(Device, BuffersStayWithinALimit) {
  const auto device = open_cpu_device(1);
  device->limit_memory(1000);
  EXPECT_EQ(device->free_bytes(), 1000);
  const Buffer one = device->allocate(600);
  EXPECT_EQ(device->free_bytes(), 400);
  EXPECT_THROW(device->allocate(401), OutOfMemoryError);
  EXPECT_TRUE(device->allocate(400));
}

class StreamedTraining : public testing::TestWithParam<const char*> {};

TEST_P(StreamedTraining, HasTheBitsOfOneThatHoldsAllRatings) {
  const TrainOptions options = options_of(GetParam());
  const TrainResult whole = train_within(int64_t{1} << 40, options);
  EXPECT_EQ(whole.transferred_ratings, 0);
  int64_t brought = 0;
  for (const int part : {4, 2, 1}) {
    const int64_t bytes = bytes_for(part, 6);
    const TrainResult streamed = train_within(bytes, options);
    EXPECT_LE(streamed.peak_device_bytes, bytes);
    EXPECT_GT(streamed.transferred_ratings, brought) << part;
    brought = streamed.transferred_ratings;
    EXPECT_EQ(factors_of(streamed, "x"), factors_of(whole, "x"));
    EXPECT_EQ(factors_of(streamed, "theta"), factors_of(whole, "theta"));
    for (size_t i = 0; i < whole.iterations.size(); ++i) {
      EXPECT_EQ(streamed.iterations[i].train_metric, whole.iterations[i].train_metric);
      EXPECT_EQ(streamed.iterations[i].test_metric, whole.iterations[i].test_metric);
    }
    EXPECT_TRUE(streamed.iterations.back().stage_seconds.contains("x/upload"));
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, StreamedTraining,
                         testing::Values("exact", "cg-fp32", "fused",
                                         "update:blocked:factors=fp16,steps=6",
                                         "hermitian:blocked:factors=fp16/bias:rows/solve:cg"));

TEST(StreamedTrainings, AreOfAlgorithmsThatReadRatingsInBlocks) {
  TrainOptions options = options_of("fused");
  for (const char* hyper : {"start=sketch", "first_share=0.5", "biases=on", "rotated_iterations=1",
                            "over_relaxation=0.5"}) {
    options.recipe = recipe_of(default_algorithm(), "fused", hyper);
    EXPECT_THROW(train_within(bytes_for(1, 8), options), OutOfMemoryError) << hyper;
  }
  options.recipe = recipe_of(algorithm_named("implicit-als"), "cg");
  EXPECT_THROW(train_within(bytes_for(1, 8), options), OutOfMemoryError);
  options.recipe = recipe_of(default_algorithm(), "fused", "start=constant");
  EXPECT_GT(train_within(bytes_for(1, 8), options).transferred_ratings, 0);
}

TEST(StreamedTrainings, NeedRoomForTheLongestRow) {
  EXPECT_TRUE(contains(
      thrown_by<OutOfMemoryError>([&] { train_within(int64_t{400} << 10, options_of("fused")); }),
      "out of device memory"));
}

}  // namespace
}  // namespace alsbench
