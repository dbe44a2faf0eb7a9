// SPDX-License-Identifier: Apache-2.0
// The clock of a sample is that of its work: tensor cores lower it while they compute.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/measure/guard.h"
#include "harness/measure/sampler.h"
#include "harness/stage/stage_support.h"
#include "tests/unit/rating_sets.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr double kMinHz = 1e8, kMaxHz = 4e9;

// The median clock of some samples of a reference at its default.
double clock_of(const DeviceProblem& problem, const char* stage, const char* name) {
  const Variant& variant = variant_named(*stage_named(stage), name, Backend::cuda);
  const Config config = variant.space.default_config();
  const auto fixture = make_fixture({problem, variant.stage, "x", storage_of(variant, config), 1});
  const auto executable = problem.device().prepare(variant, config, fixture->shape());
  Guard guard({*fixture, variant, config, *executable, config, *executable});
  std::vector<double> clocks;
  for (int i = 0; i < 9; ++i) clocks.push_back(guard.sample(CacheMode::hot).sm_clock_hz);
  return statistics_of(clocks).median;
}

TEST(ClockOnGpu, IsThatOfTheWork) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const auto device = open_device("0");
  if (device->traits().architecture < 80) GTEST_SKIP() << "no mma.m16n8k16";
  const RatingSet set = planted_set(40, 30, 0.5);
  const DeviceProblem problem(*device, set, 32, 0.05f);
  const double integers = clock_of(problem, "spin", "chain");
  const double tensor = clock_of(problem, "mma", "chains");
  EXPECT_GT(tensor, kMinHz);
  EXPECT_LT(integers, kMaxHz);
  EXPECT_LE(tensor, 1.005 * integers);
  RecordProperty("spin_hz", std::to_string(integers));
  RecordProperty("mma_hz", std::to_string(tensor));
}

TEST(ClockOnGpu, IsKnownOfNoWorkAtAll) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const double hz = open_device("0")->time([] {}).sm_clock_hz;
  EXPECT_GT(hz, kMinHz);
  EXPECT_LT(hz, kMaxHz);
}

}  // namespace
}  // namespace alsbench
