// SPDX-License-Identifier: Apache-2.0
// Trainings by teams of CPU members have the bits of one device's, and end together.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "base/error.h"
#include "harness/device/team.h"
#include "harness/problem/team_problem.h"
#include "tests/unit/algorithms/small_training.h"

namespace alsbench {
namespace {

TrainResult train_on(int members, const RatingSet& set, const TrainOptions& options) {
  return train(*team_of_cpus(members), set, options);
}

void expect_same_bits(const TrainResult& one, const TrainResult& team) {
  for (const char* part : {"x", "theta"}) EXPECT_EQ(factors_of(team, part), factors_of(one, part));
  ASSERT_EQ(team.iterations.size(), one.iterations.size());
  for (size_t i = 0; i < one.iterations.size(); ++i) {
    EXPECT_EQ(team.iterations[i].train_metric, one.iterations[i].train_metric) << i;
    EXPECT_EQ(team.iterations[i].test_metric, one.iterations[i].test_metric) << i;
    EXPECT_EQ(team.iterations[i].cold_test_ratings, one.iterations[i].cold_test_ratings) << i;
    EXPECT_EQ(team.iterations[i].mean_solver_steps, one.iterations[i].mean_solver_steps) << i;
  }
  EXPECT_EQ(team.failed_rows, one.failed_rows);
  EXPECT_EQ(team.overflows, one.overflows);
}

struct TeamCase {
  const char* name;
  const char* pipeline;
  const char* hyper;
};

class TeamBits : public testing::TestWithParam<TeamCase> {};

TEST_P(TeamBits, AreThoseOfOneDevice) {
  const RatingSet set = planted_set(300, 120, 0.2, 7);
  TrainOptions options = options_of(GetParam().pipeline);
  options.recipe.hyper = parse_hyper(default_algorithm(), GetParam().hyper);
  const TrainResult one = train_on(1, set, options);
  EXPECT_FALSE(one.team);
  for (const int members : {2, 3}) expect_same_bits(one, train_on(members, set, options));
}

INSTANTIATE_TEST_SUITE_P(
    Pipelines, TeamBits,
    testing::Values(
        TeamCase{"exact", "exact", ""}, TeamCase{"half_matrices", "cg-fp16", ""},
        TeamCase{"copies_of_updates", "update:blocked:factors=fp16,steps=6", ""},
        TeamCase{"converted_copies",
                 "hermitian:blocked:factors=fp16/bias:rows:factors=fp16/solve:cg:steps=6", ""},
        TeamCase{"rotated", "update:blocked:factors=fp16,steps=3", "rotated_iterations=2"},
        TeamCase{"started", "update:blocked:factors=fp16,steps=3",
                 "start=sketch,over_relaxation=0.6,first_share=0.5"}),
    [](const auto& tested) { return tested.param.name; });

TEST(TeamTraining, HasTheBitsOfOneDeviceWithImplicitFeedback) {
  RatingSet set = planted_set(300, 120, 0.2, 7);
  for (Csr* ratings : {&set.by_user, &set.by_item, &set.test}) {
    std::vector<float> counts(ratings->values.begin(), ratings->values.end());
    for (float& count : counts) count = std::round(std::abs(4 * count));
    ratings->values = Array<float>(counts);
  }
  const Algorithm& algorithm = algorithm_named("implicit-als");
  TrainOptions options;
  options.recipe = uniform_recipe(algorithm, algorithm.parse("x", "cg", Backend::cpu));
  options.rank = 8;
  options.iterations = 3;
  expect_same_bits(train_on(1, set, options), train_on(3, set, options));
}

TEST(TeamTraining, OfMoreMembersThanItemsHasThemToo) {
  const RatingSet set = planted_set(40, 3, 0.9);
  expect_same_bits(train_on(1, set, options_of("exact")), train_on(5, set, options_of("exact")));
}

TEST(TeamProblems, HoldTheRatingsOfTheirOwnRows) {
  const RatingSet set = planted_set(3000, 1200, 0.2, 7);
  const auto alone = team_of_cpus(1), team = team_of_cpus(3);
  for (Team* const one : {alone.get(), team.get()})  // else they read the host's
    one->run([](const Member& member) { member.device().limit_memory(int64_t{1} << 30); });
  const TeamProblem whole(*alone, set, 8, 0.05f),
      shared(*team, set, 8, 0.05f, RatingsResidency::as_fits);
  EXPECT_TRUE(whole.first().holds_all());
  std::array<int64_t, 3> bytes{};
  team->run([&](const Member& member) {
    EXPECT_FALSE(shared.of(member).holds_all());
    bytes[member.index()] = shared.of(member).bytes();
  });
  EXPECT_LT(*std::max_element(bytes.begin(), bytes.end()), whole.first().bytes() / 2);
}

TEST(TeamTraining, SaysWhereItsTimeWent) {
  const TrainResult result = train_on(2, planted_set(300, 120, 0.2), options_of("exact"));
  for (const IterationRecord& record : result.iterations) {
    ASSERT_EQ(record.members.size(), 2u);
    for (const MemberSeconds& member : record.members) {
      EXPECT_GT(member.work, 0);
      EXPECT_LE(member.work + member.exchange, record.seconds * (1 + 1e-9));
      EXPECT_LE(record.exchange_seconds, member.exchange * (1 + 1e-9));
    }
    EXPECT_TRUE(record.stage_seconds.contains("x/exchange"));
  }
  ASSERT_TRUE(result.team);
  EXPECT_EQ(result.team->members, 2);
  EXPECT_EQ(result.team->exchanged_bytes, (300 + 120) * 8 * 4);
  EXPECT_GE(result.team->predicted.front().largest_share, 0.5);
}

TEST(TeamTraining, EndsWhereOneMemberFails) {
  EXPECT_THROW(train_on(3, set_with_an_infinite_rating(), options_of("exact")), NonFiniteError);
}

TEST(TeamTraining, EndsWithWhatProgressThrows) {
  const auto team = team_of_cpus(2);
  const auto fail = [](const IterationRecord&) { throw UsageError("planted"); };
  EXPECT_THROW(train(*team, planted_set(60, 40, 0.5), options_of("exact"), fail), UsageError);
}

TEST(TeamTraining, StopsWhereItIsInterrupted) {
  std::atomic<bool> interrupted = true;
  TrainOptions options = options_of("exact");
  options.interrupted = &interrupted;
  const TrainResult result = train_on(2, planted_set(60, 40, 0.5), options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.iterations.size(), 1u);
}

// The checkpoints of a training, and what it ends with.
struct Way {
  std::vector<Checkpoint> checkpoints;
  TrainResult end;
};

Way way_of(int members, const RatingSet& set, TrainOptions options) {
  Way way;
  options.checkpoint_every = 2;
  options.checkpoint = [&](const Checkpoint& checkpoint) { way.checkpoints.push_back(checkpoint); };
  way.end = train_on(members, set, options);
  return way;
}

TEST(Checkpoints, GoOnToTheSameBitsOnAnyNumberOfMembers) {
  const RatingSet set = planted_set(300, 120, 0.2, 7);
  TrainOptions options = options_of("update:blocked:factors=fp16,steps=3");
  options.recipe.hyper =
      parse_hyper(default_algorithm(), "rotated_iterations=3,over_relaxation=0.6");
  for (const int before : {1, 2}) {
    const Way way = way_of(before, set, options);
    ASSERT_EQ(way.checkpoints.size(), 2u);  // none after the last iteration
    for (const Checkpoint& checkpoint : way.checkpoints)
      for (const int after : {1, 2}) {
        options.resume = &checkpoint;
        expect_same_bits(way.end, train_on(after, set, options));
      }
    options.resume = nullptr;
  }
}

TEST(Checkpoints, KeepTheBestModelThatThereWas) {
  const RatingSet set = planted_set(60, 50, 0.3);
  TrainOptions options = options_of("exact");
  options.lambda = 1e-4f;  // overfits: an early iteration is the best one
  options.iterations = 8;
  options.keep = Keep::best;
  const Way way = way_of(1, set, options);
  ASSERT_LT(way.end.kept_iteration, 6);
  options.resume = &way.checkpoints.back();
  const TrainResult resumed = train_on(2, set, options);
  expect_same_bits(way.end, resumed);
  EXPECT_EQ(resumed.kept_iteration, way.end.kept_iteration);
  EXPECT_EQ(resumed.best_iteration, way.end.best_iteration);
}

}  // namespace
}  // namespace alsbench
