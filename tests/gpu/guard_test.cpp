// SPDX-License-Identifier: Apache-2.0
// The guard of honest measurement on a GPU: its kernels agree with the CPU, honest variants pass,
// and what its rules forbid is found.
#include "harness/measure/guard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "harness/device/cuda_backend.h"
#include "tests/unit/rating_sets.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

class GuardOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
    setenv("ALSBENCH_GUARD", "on", 1);
    device_ = open_device("0");
  }
  // "ok", or the rule that it breaks.
  std::string fate(const Variant& variant, const std::string& point, CacheMode mode) {
    const DeviceProblem problem(*device_, set_, 32, 0.05f);
    const Config config = variant.space.parse(point);
    const auto fixture =
        make_fixture({problem, variant.stage, "x", storage_of(variant, config), 1});
    const auto executable = device_->prepare(variant, config, fixture->shape());
    Guard guard({*fixture, variant, config, *executable, config, *executable});
    try {
      Verification found = guard.verify(references_);
      for (int i = 0; i < 12 && found.outcome == Outcome::ok; ++i) guard.sample(mode);
      if (found.outcome == Outcome::ok) found = guard.recheck(references_);
      detail_ = found.detail;
      return found.rule ? std::string(name_of(*found.rule)) : "ok";
    } catch (const RuleBroken& broken) {
      detail_ = broken.what();
      return std::string(name_of(broken.rule));
    }
  }

  std::unique_ptr<Device> device_;
  RatingSet set_ = planted_set(300, 200, 0.4);
  ReferenceCache references_;
  std::string detail_;
};

TEST_F(GuardOnGpu, AgreesWithTheCpu) {
  const auto cpu = open_cpu_device();
  std::vector<uint32_t> words(100'003);
  std::mt19937 generator(1);
  for (uint32_t& word : words) word = generator();
  const auto bytes = static_cast<int64_t>(words.size() * 4 - 1);
  Buffer here = device_->allocate(bytes), there = cpu->allocate(bytes);
  device_->upload(here.data(), words.data(), bytes);
  cpu->upload(there.data(), words.data(), bytes);
  for (const int64_t item : {1, 2, 4, 12, 400}) {
    const int64_t count = bytes / item;
    device_->mirror({here.data(), count, item}, 77 * item);
    cpu->mirror({there.data(), count, item}, 77 * item);
    EXPECT_EQ(device_->digest({"", here.data(), bytes, 1, 0, Numbers::fp16}),
              cpu->digest({"", there.data(), bytes, 1, 0, Numbers::fp16}))
        << item;
  }
}

TEST_F(GuardOnGpu, FindsAWriteBeyondABuffer) {
  Buffer buffer = device_->allocate(1000);
  EXPECT_FALSE(device_->find_trespass());
  device_->fill(buffer.as<char>() + 1000, 0, 1);
  const auto trespass = device_->find_trespass();
  ASSERT_TRUE(trespass);
  EXPECT_EQ(trespass->buffer, buffer.data());
  EXPECT_FALSE(trespass->before);
  EXPECT_FALSE(device_->find_trespass()) << "the fence was not mended";
}

TEST_F(GuardOnGpu, RefusesNoHonestVariant) {
  for (const Variant& variant : catalog()) {
    if (variant.backend != Backend::cuda || variant.hidden || variant.stage->ceiling) continue;
    const Config config = variant.space.default_config();
    const DeviceProblem problem(*device_, set_, 32, 0.05f);
    if (objection_of(variant, config, problem.shape(Side::x), device_->traits())) continue;
    references_.clear();
    for (const CacheMode mode : kCacheModes)
      EXPECT_EQ(fate(variant, "", mode), "ok") << variant.id() << ": " << detail_;
  }
}

}  // namespace
}  // namespace alsbench
