// SPDX-License-Identifier: Apache-2.0
// The check of top_k catches what a selection may do wrong: fakes that spoil a right output.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "harness/stage/verifier.h"
#include "kernels/shared/params/recommend.h"
#include "tests/contract/awkward_problems.h"
#include "tests/unit/texts.h"
#include "variants/catalog.h"
#include "variants/recommend/stages.h"

namespace alsbench {
namespace {

constexpr int64_t kSeenRow = 20;  // of the ragged set; it has seen items

using SpoilBest = std::function<void(int32_t* items, float* scores)>;

Verification verify_spoiled(const SpoilBest& spoil) {
  const auto device = open_cpu_device();
  const RatingSet set = testing::ragged_set();
  const DeviceProblem problem(*device, set, 10, 0.05f);
  const Variant& original = variant_named(&stages::top_k, "blocked", Backend::cpu);
  Variant fake = original;
  fake.run = [&](const Config& config, const Shape& shape, const StageParams& params,
                 const RunContext& context) {
    original.run(config, shape, params, context);
    const auto& found = params.as<TopKParams>();
    spoil(found.items + kSeenRow * found.k, found.scores + kSeenRow * found.k);
  };
  const Config config = fake.space.default_config();
  const auto fixture = make_fixture({problem, fake.stage, "x", storage_of(fake, config), 1});
  const auto executable = device->prepare(fake, config, fixture->shape());
  ReferenceCache references;
  return verify({*fixture, fake, config, *executable, references});
}

TEST(TopKCheck, TakesARightOutput) {
  const Verification result = verify_spoiled([](int32_t*, float*) {});
  EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
}

TEST(TopKCheck, NamesWhatIsWrongAndWhere) {
  const std::pair<SpoilBest, const char*> cases[]{
      {[](int32_t* items, float*) { std::swap(items[2], items[9]); }, "score(2)"},
      {[](int32_t*, float* scores) { std::swap(scores[2], scores[9]); }, "comes after"},
      {[](int32_t*, float* scores) { scores[0] *= 1.001f; }, "score(0)"},
      {[](int32_t* items, float*) { items[3] = items[2]; }, "comes twice"},
      {[](int32_t* items, float*) { items[3] = 20 * 7 % 68 + 1; }, "was seen"},
      {[](int32_t* items, float*) { items[3] = 70; }, "place 3 is item 70"},
      {[](int32_t* items, float*) { items[0] = -1; }, "place 0 is item -1"},
      {[](int32_t* items, float*) { items[99] = 4; }, "though only"},
  };
  for (const auto& [spoil, said] : cases) {
    const Verification result = verify_spoiled(spoil);
    EXPECT_EQ(name_of(result.outcome), "wrong") << said;
    EXPECT_TRUE(contains(result.detail, said));
    EXPECT_TRUE(contains(result.detail, "row 20"));
  }
}

TEST(TopKCheck, FindsAnItemThatIsLeftOutForAWorseOne) {
  const Verification result = verify_spoiled([](int32_t* items, float* scores) {
    int left = 0;
    while (items[left] >= 0) ++left;
    for (int place = 1; place < left; ++place) {  // the best one goes
      items[place - 1] = items[place];
      scores[place - 1] = scores[place];
    }
    items[left - 1] = -1;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
}

}  // namespace
}  // namespace alsbench
