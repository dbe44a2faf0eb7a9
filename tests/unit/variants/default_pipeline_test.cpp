// SPDX-License-Identifier: Apache-2.0
// What runs where nothing was tuned.
#include "variants/default_pipeline.h"

#include <gtest/gtest.h>

#include "variants/als/pipelines.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

const std::string kFused = "update:fused:matrix=fp16,steps=6";

Shape netflix_users(int32_t rank) {
  return {480189, 17770, 99072112, rank, {1, 35, 84, 200, 500, 1800, 17653}, 0};
}

DeviceTraits cpu() { return {.backend = Backend::cpu, .name = "a processor"}; }

std::string text_of(const DefaultChoice& choice) { return Pipeline{choice.steps}.text(); }

std::string canonical(const std::string& pipeline, Backend backend) {
  return parse_pipeline(als_pipelines(), pipeline, backend).text();
}

TEST(DefaultPipeline, IsTheFusedUpdateInHalvesFromAmpereOn) {
  for (const int architecture : known_architectures())
    for (const int32_t rank : {1, 8, 16, 50, 64, 100, 102}) {
      if (architecture < 80) continue;
      SCOPED_TRACE(testing::Message() << "sm_" << architecture << ", rank " << rank);
      const DeviceTraits traits = traits_of_architecture(architecture);
      const DefaultChoice choice = default_pipeline(als_pipelines(), netflix_users(rank), traits);
      EXPECT_EQ(text_of(choice), canonical(kFused, Backend::cuda));
      EXPECT_EQ(choice.reason, "the default is " + kFused);
    }
}

TEST(DefaultPipeline, IsCgInFp32WhereTheFusedUpdateObjects) {
  const DefaultChoice old =
      default_pipeline(als_pipelines(), netflix_users(100), traits_of_architecture(75));
  EXPECT_EQ(text_of(old), canonical("cg-fp32", Backend::cuda));
  EXPECT_TRUE(old.reason.starts_with("the default is cg-fp32; not " + kFused)) << old.reason;
  EXPECT_EQ(old.reason.find("sm_80"), old.reason.rfind("sm_80")) << "said twice: " << old.reason;
}

TEST(DefaultPipeline, NeverFormsAOnACpu) {
  for (const int32_t rank : {1, 100, 4096})
    EXPECT_EQ(text_of(default_pipeline(als_pipelines(), netflix_users(rank), cpu())),
              canonical("update:matrix_free:steps=6", Backend::cpu));
}

// Whatever is asked: what is chosen can run, or nothing of its stages can.
TEST(DefaultPipeline, CanRunOnEveryArchitectureUpToTheGreatestRank) {
  for (const int architecture : known_architectures())
    for (int32_t rank = 1; rank <= 256; rank += 5) {
      const DeviceTraits traits = traits_of_architecture(architecture);
      const DefaultChoice choice = default_pipeline(als_pipelines(), netflix_users(rank), traits);
      EXPECT_EQ(objection_of(choice.steps, netflix_users(rank), traits), std::nullopt)
          << "sm_" << architecture << ", rank " << rank << ": " << choice.reason;
    }
}

TEST(DefaultStep, IsThatOfTheFirstDefaultPipelineWhichHasTheStage) {
  const Shape shape = netflix_users(100);
  const DeviceTraits gpu = traits_of_architecture(90);
  EXPECT_EQ(text_of(default_step("update", shape, gpu)), canonical(kFused, Backend::cuda));
  EXPECT_EQ(text_of(default_step("update", shape, cpu())),
            canonical("update:matrix_free:steps=6", Backend::cpu));
  EXPECT_EQ(default_step("solve", shape, gpu).steps[0].variant->name, "cg");
  EXPECT_EQ(default_step("normal_equations", shape, gpu).steps[0].variant->name, "mma");
}

TEST(DefaultStep, OfAVariantIsItsDefaultConfiguration) {
  const DefaultChoice choice =
      default_step("update/fused", netflix_users(100), traits_of_architecture(90));
  EXPECT_EQ(choice.steps[0].config, choice.steps[0].variant->space.default_config());
  EXPECT_THROW(default_step("update/fussed", netflix_users(100), cpu()), UsageError);
  EXPECT_THROW(default_step("updat", netflix_users(100), cpu()), UsageError);
}

}  // namespace
}  // namespace alsbench
