// SPDX-License-Identifier: Apache-2.0
// Teams of two GPUs: NCCL's exchanges, and the bits of trainings. Skipped on machines with fewer.
#include "harness/device/team.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/train/train.h"
#include "tests/unit/rating_sets.h"

namespace alsbench {
namespace {

class TeamOfGpus : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (const int count = cuda_device_count(&reason); count < 2)
      GTEST_SKIP() << "there are " << count << " CUDA devices " << reason;
    team_ = open_team("0+1");
  }

  std::unique_ptr<Team> team_;
};

TEST_F(TeamOfGpus, GathersAndRaises) {
  std::vector<std::vector<uint32_t>> seen(2);
  team_->run([&](const Member& member) {
    const auto index = static_cast<uint32_t>(member.index());
    const Buffer buffer = member.device().allocate(16);
    const std::vector<uint32_t> own(4, index + 1);
    member.device().upload(buffer.data(), own.data(), 16);
    member.send(buffer.data(), {{0, 4}, {4, 8}});
    member.wait_for_blocks();
    member.all_reduce_max(buffer.as<uint32_t>() + 3, 1);
    seen[index].resize(4);
    member.device().download(seen[index].data(), buffer.data(), 16);
  });
  EXPECT_EQ(seen[0], (std::vector<uint32_t>{1, 2, 2, 2}));
  EXPECT_EQ(seen[1], seen[0]);
}

TEST_F(TeamOfGpus, EndsWithTheErrorOfAMemberAndWorksAgain) {
  EXPECT_THROW(team_->run([&](const Member& member) {
    const Buffer buffer = member.device().allocate(16);
    member.send(buffer.data(), {{0, 8}, {8, 8}});
    if (!member.first()) throw OutOfMemoryError("planted");
    for (;;) member.wait_for_blocks();
  }),
               OutOfMemoryError);
  team_->run([](const Member& member) { EXPECT_EQ(member.sum(int64_t{1}), 2); });
}

TEST_F(TeamOfGpus, TrainsWithTheBitsOfOne) {
  const RatingSet set = planted_set(3000, 500, 0.1, 7);
  const auto one = open_device("0");
  for (const char* text : {"hermitian:tiled/bias:rows/solve:cg:steps=6",
                           "update:fused:factors=fp16,sums=tensor_cores,matrix=fp16,steps=3",
                           "update:fused:factors=int8,sums=tensor_cores,matrix=fp16,steps=3"}) {
    TrainOptions options;
    options.recipe =
        uniform_recipe(default_algorithm(), default_algorithm().parse("x", text, Backend::cuda));
    options.rank = 32;
    options.iterations = 6;
    const TrainResult alone = train(*one, set, options), both = train(*team_, set, options);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(both.model[i].values, alone.model[i].values) << text;
    EXPECT_EQ(both.iterations.back().test_metric, alone.iterations.back().test_metric) << text;
  }
}

// Of so many rows that they are sent in parts while others are solved.
TEST_F(TeamOfGpus, TrainsWithTheBitsOfOneInParts) {
  const RatingSet set = planted_set(1200000, 60, 0.05, 7);
  const auto one = open_device("0");
  const Algorithm& algorithm = default_algorithm();
  const auto parsed = [&](const char* part, const char* text) {
    return algorithm.parse(part, text, Backend::cuda);
  };
  const char* const bytes = "update:fused:factors=int8,matrix=fp16,steps=3";
  for (const char* x : {bytes, "update:fused:factors=fp16,matrix=fp16,steps=3"}) {
    TrainOptions options;
    options.recipe = uniform_recipe(algorithm, parsed("theta", bytes));
    options.recipe.of("x") = parsed("x", x);
    options.rank = 100;
    options.iterations = 6;
    const TrainResult alone = train(*one, set, options), both = train(*team_, set, options);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(both.model[i].values, alone.model[i].values) << x;
    EXPECT_LT(both.team->exchanged_bytes, int64_t{1200000} * 128 / 2) << x;
  }
}

}  // namespace
}  // namespace alsbench
