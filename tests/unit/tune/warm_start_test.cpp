// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/warm_start.h"

#include <gtest/gtest.h>

#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"

namespace alsbench {
namespace {

const std::string kHalves = "update:fused:factors=int8,matrix=fp16,steps=3,late_steps=2";

TunedEntry pipeline_entry(const std::string& part, const Shape& shape, const std::string& pick) {
  TunedEntry entry = entry_of(gpu(), shape, pick, std::string(kWholePipeline));
  entry.part = part;
  return entry;
}

Shape items(int64_t rows = 17770) { return shape_of_size(rows, 480189, 99072112, 100); }

std::optional<WarmStart> start_of(const std::vector<TunedEntry>& entries, bool with_own = true) {
  return find_warm_start(TuningDatabase(entries, same_code), begin_recipe(default_algorithm()),
                         [&](const std::string& part) {
                           TunedQuery query = query_for(gpu(), part == "x" ? netflix() : items(),
                                                        std::string(kWholePipeline));
                           query.part = part;
                           if (!with_own) query.hidden = {netflix(), items()};
                           return query;
                         });
}

TEST(WarmStart, HasTheAnswersOfAllPartsWithTheirStepsInEveryIteration) {
  const auto start = start_of({pipeline_entry("x", netflix(), kHalves + ",chunk=8192"),
                               pipeline_entry("theta", items(), kHalves + ",stages=6")});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->recipe.of("x").steps[0].config.get("chunk"), "8192");
  EXPECT_EQ(start->recipe.of("theta").steps[0].config.get("stages"), "6");
  for (const std::string part : {"x", "theta"}) {
    EXPECT_EQ(start->recipe.of(part).steps[0].config.get("steps"), "3");
    EXPECT_EQ(start->recipe.of(part).steps[0].config.get("late_steps"), "0");
    EXPECT_TRUE(contains(start->reason, part + ": device and shape"));
  }
}

TEST(WarmStart, PartsAgreeOnPrecisionAndTakeTheMoreSteps) {
  const std::string floats = "update:fused:factors=int8,matrix=fp32,steps=3";
  const auto mixed =
      start_of({pipeline_entry("x", netflix(), kHalves), pipeline_entry("theta", items(), floats)});
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->recipe.of("theta").steps[0].config.get("matrix"), "fp16");
  const std::string more = "update:fused:factors=int8,matrix=fp16,steps=5";
  const auto steps =
      start_of({pipeline_entry("x", netflix(), kHalves), pipeline_entry("theta", items(), more)});
  ASSERT_TRUE(steps);
  for (const std::string part : {"x", "theta"})
    EXPECT_EQ(steps->recipe.of(part).steps[0].config.get("steps"), "5");
}

TEST(WarmStart, APartWithoutAnAnswerTakesTheOthers) {
  const auto start = start_of({pipeline_entry("theta", items(), kHalves)});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->recipe.of("x").text(), start->recipe.of("theta").text());
}

TEST(WarmStart, IsNothingWhereNothingNearWasTuned) {
  EXPECT_FALSE(start_of({}));
  EXPECT_FALSE(start_of({pipeline_entry("x", netflix(64), kHalves)}));
  EXPECT_FALSE(start_of({pipeline_entry("x", netflix(), kHalves)}, /* with_own */ false));
  EXPECT_TRUE(start_of({pipeline_entry("theta", items(30000), kHalves)}, /* with_own */ false));
}

}  // namespace
}  // namespace alsbench
