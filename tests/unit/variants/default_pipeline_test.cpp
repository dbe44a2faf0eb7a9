// SPDX-License-Identifier: Apache-2.0
// The default that runs where nothing was tuned.
#include "variants/default_pipeline.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/texts.h"
#include "variants/als/pipelines.h"
#include "variants/implicit/implicit.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

Shape netflix_users_as_drawn(int32_t rank) {
  return {480189, 17770, 99072112, rank, {1, 35, 84, 200, 500, 1800, 17653}, 0};
}

DeviceTraits cpu() { return {.backend = Backend::cpu, .name = "a processor"}; }

std::string text_of(const DefaultChoice& choice) { return Pipeline{choice.steps}.text(); }

std::string canonical(const std::string& pipeline, Backend backend) {
  return parse_pipeline(als_pipelines(), pipeline, backend).text();
}

bool begins(const DefaultChoice& choice, const std::string& text) {
  return text_of(choice).starts_with(text);
}

TEST(DefaultPipeline, IsTheFusedUpdateInHalvesFromAmpereOn) {
  for (const int architecture : known_architectures())
    for (const int32_t rank : {1, 8, 16, 50, 64, 100, 102, 128}) {
      if (architecture < 80) continue;
      SCOPED_TRACE(testing::Message() << "sm_" << architecture << ", rank " << rank);
      const DeviceTraits traits = traits_of_architecture(architecture);
      const DefaultChoice choice =
          default_pipeline(als_pipelines(), netflix_users_as_drawn(rank), traits);
      EXPECT_TRUE(begins(choice, "update:fused:")) << text_of(choice);
      EXPECT_TRUE(contains(text_of(choice), "matrix=fp16"));
      EXPECT_TRUE(choice.reason.starts_with("by rule: update:fused:")) << choice.reason;
      EXPECT_TRUE(contains(choice.reason, "expected in "));
    }
}

TEST(DefaultPipeline, ReadsSignedBytesAtRank100WhereTensorCoresMultiplyThem) {
  for (const int architecture : {80, 86, 89, 90, 100, 103, 120}) {
    const DefaultChoice choice = default_pipeline(als_pipelines(), netflix_users_as_drawn(100),
                                                  traits_of_architecture(architecture));
    EXPECT_EQ(choice.steps[0].config.is("factors", "int8"), architecture != 103) << architecture;
  }
}

TEST(DefaultPipeline, MultipliesByWarpgroupsAtLargeRanksWhereAnInstructionDoes) {
  for (const int architecture : {80, 90, 100})
    for (const int32_t rank : {100, 200}) {
      const DefaultChoice choice = default_pipeline(als_pipelines(), netflix_users_as_drawn(rank),
                                                    traits_of_architecture(architecture));
      EXPECT_EQ(choice.steps[0].config.is("products", "wgmma"), architecture == 90 && rank > 102)
          << "sm_" << architecture << ", rank " << rank << ": " << choice.reason;
    }
}

TEST(DefaultPipeline, TakesMoreStepsOfCgWhereTheyCostLittle) {
  const DeviceTraits traits = traits_of_architecture(90);
  const Shape items{17770, 480189, 99072112, 100, {3, 187, 548, 2641, 12185, 95218, 228355}, 0};
  const auto steps = [&](const Shape& shape) {
    return default_pipeline(als_pipelines(), shape, traits).steps[0].config.integer("steps");
  };
  EXPECT_EQ(steps(netflix_users_as_drawn(100)), 4);
  EXPECT_EQ(steps(items), 6);
}

TEST(DefaultPipeline, CutsLongerPiecesWhereTheSumsOfThoseOfAllRatingsWouldFillTheDevice) {
  Shape shape = netflix_users_as_drawn(100);
  shape.row_length_quantiles.back() = 5'000'000;
  DeviceTraits traits = traits_of_architecture(90);
  traits.memory_bytes = int64_t{80} << 30;
  const auto chunk = [&] {
    const Pipeline pipeline{default_pipeline(als_pipelines(), shape, traits).steps};
    return pipeline.steps.front().config.get("chunk");
  };
  EXPECT_EQ(chunk(), "4096");
  shape.nnz *= 28;
  EXPECT_EQ(chunk(), "32768");
  shape.row_length_quantiles.back() = 4000;  // no row is cut
  EXPECT_EQ(chunk(), "4096");
}

TEST(DefaultPipeline, IsCgInFp32WhereTheFusedUpdateObjects) {
  const DefaultChoice old =
      default_pipeline(als_pipelines(), netflix_users_as_drawn(100), traits_of_architecture(75));
  EXPECT_EQ(text_of(old), canonical("cg-fp32", Backend::cuda));
  EXPECT_TRUE(old.reason.starts_with("by rule: cg-fp32")) << old.reason;
}

TEST(DefaultPipeline, FormsAOnACpuAtSmallRanksAlone) {
  for (const int32_t rank : {1, 4, 8})
    EXPECT_TRUE(begins(default_pipeline(als_pipelines(), netflix_users_as_drawn(rank), cpu()),
                       "update:blocked:"))
        << rank;
  for (const int32_t rank : {32, 100, 4096})
    EXPECT_TRUE(begins(default_pipeline(als_pipelines(), netflix_users_as_drawn(rank), cpu()),
                       "update:matrix_free:"))
        << rank;
}

DeviceTraits cpu_with_tiles() {
  DeviceTraits traits = cpu();
  traits.tiles = true;
  traits.bfloat_tiles = true;
  return traits;
}

TEST(DefaultPipeline, TakesTilesWhereTheProcessorHasThemAndFactorsAreReadOften) {
  Shape shape = netflix_users_as_drawn(64);
  EXPECT_TRUE(begins(default_pipeline(als_pipelines(), shape, cpu_with_tiles()), "update:tiles:"));
  EXPECT_FALSE(begins(default_pipeline(als_pipelines(), shape, cpu()), "update:tiles:"));
  shape.cols = shape.nnz;
  EXPECT_FALSE(begins(default_pipeline(als_pipelines(), shape, cpu_with_tiles()), "update:tiles:"));
}

TEST(DefaultPipeline, LeavesTilesWhereRatingsAreFew) {
  const auto takes_tiles = [](int64_t users, int64_t items, int64_t ratings) {
    Shape shape = netflix_users_as_drawn(32);
    shape.rows = users;
    shape.cols = items;
    shape.nnz = ratings;
    shape.row_length_quantiles.fill(ratings / users);
    return begins(default_pipeline(als_pipelines(), shape, cpu_with_tiles()), "update:tiles:");
  };
  EXPECT_FALSE(takes_tiles(943, 1682, 80'000));   // MovieLens-100K
  EXPECT_TRUE(takes_tiles(6040, 3706, 900'000));  // MovieLens-1M
}

TEST(DefaultPipeline, OfImplicitAlsTakesTilesWhereBytesCanBeMultipliedByRoots) {
  Shape shape = netflix_users_as_drawn(64);
  shape.distinct_ratings = 10;
  const auto takes_tiles = [&] {
    return begins(default_pipeline(implicit_pipelines(), shape, cpu_with_tiles()),
                  "implicit_update:tiles:");
  };
  EXPECT_TRUE(takes_tiles());
  EXPECT_FALSE(
      begins(default_pipeline(implicit_pipelines(), shape, cpu()), "implicit_update:tiles:"));
  shape.negative_weights = true;
  EXPECT_FALSE(takes_tiles());
  shape.negative_weights = false;
  shape.distinct_ratings = 33;
  EXPECT_FALSE(takes_tiles());
}

// Bytes have a row for each distinct rating, and bf16 are multiplied as they are read.
TEST(AmxTiles, OfBfloatsTakeAnyNumberOfDistinctRatings) {
  Shape shape = netflix_users_as_drawn(64);
  shape.distinct_ratings = 33;
  const auto objection = [&](const std::string& text, const DeviceTraits& traits) {
    const PipelineStep step = parse_step(text, Backend::cpu);
    return objection_of(*step.variant, step.config, shape, traits).value_or("");
  };
  EXPECT_EQ(objection("implicit_update:tiles:factors=bf16", cpu_with_tiles()), "");
  EXPECT_NE(objection("implicit_update:tiles:factors=int8", cpu_with_tiles()), "");
  shape.negative_weights = true;
  EXPECT_NE(objection("implicit_update:tiles:factors=bf16", cpu_with_tiles()), "");
}

TEST(AmxTiles, OfBfloatsNeedAnInstructionOfTheirOwn) {
  const Shape shape = netflix_users_as_drawn(64);
  DeviceTraits traits = cpu_with_tiles();
  traits.bfloat_tiles = false;
  traits.no_bfloat_tiles = "the processor's AMX tiles do not multiply bf16";
  const auto objection = [&](const std::string& text) {
    const PipelineStep step = parse_step(text, Backend::cpu);
    return objection_of(*step.variant, step.config, shape, traits).value_or("");
  };
  EXPECT_EQ(objection("update:tiles:factors=int8"), "");
  EXPECT_EQ(objection("update:tiles:factors=bf16"), traits.no_bfloat_tiles);
}

// They have not been measured.
TEST(AmxTiles, OfBfloatsAreNoDefault) {
  const Shape shape = netflix_users_as_drawn(64);
  for (const RuledPipeline& pipeline : als_pipelines().by_rule(shape, cpu_with_tiles()))
    EXPECT_FALSE(contains(pipeline.text, "bf16"));
}

// Beside counts a time has launches and the longest row: what is added to the counts adds time in
// proportion.
TEST(DefaultPipeline, ItsExpectedTimeGrowsWithTheCounts) {
  const auto times = [](int64_t factor, const DeviceTraits& traits) {
    Shape shape = netflix_users_as_drawn(64);
    shape.rows *= factor;
    shape.nnz *= factor;
    return als_pipelines().by_rule(shape, traits);
  };
  for (const DeviceTraits& traits : {traits_of_architecture(90), cpu()}) {
    const auto one = times(1, traits), two = times(2, traits), four = times(4, traits);
    ASSERT_EQ(one.size(), two.size());
    ASSERT_EQ(one.size(), four.size());
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].text, two[i].text);
      const double added = two[i].seconds - one[i].seconds;
      EXPECT_NEAR(four[i].seconds - two[i].seconds, 2 * added, 1e-9);
      EXPECT_GE(added, 0.95 * one[i].seconds);
    }
  }
}

// A warp works through its longest row alone.
TEST(DefaultPipeline, ALongRowTakesTimeWhereThereIsLittleElse) {
  Shape shape{943, 1682, 90000, 32, {4, 36, 65, 118, 203, 300, 300}, 0};
  const double even = als_pipelines().by_rule(shape, traits_of_architecture(90))[0].seconds;
  shape.row_length_quantiles.back() = 1130;
  const double uneven = als_pipelines().by_rule(shape, traits_of_architecture(90))[0].seconds;
  EXPECT_GT(uneven, 1.2 * even);
}

// The factors of rows of two ratings, which the other side's update reads, are badly known.
TEST(DefaultPipeline, TakesSixStepsWhereItReadsTheFactorsOfShortRows) {
  const Shape shape{20000, 2000000, 3800000, 32, {50, 100, 150, 190, 250, 300, 400}, 0};
  EXPECT_EQ(default_pipeline(als_pipelines(), shape, traits_of_architecture(90))
                .steps[0]
                .config.get("steps"),
            "6");
  EXPECT_EQ(default_pipeline(als_pipelines(), shape, cpu()).steps[0].config.get("steps"), "6");
}

// A_u in halves may not be positive definite with so little damping.
TEST(DefaultPipeline, KeepsAInFp32WhereLambdaIsSmall) {
  Shape shape = netflix_users_as_drawn(64);
  for (const double damping : {-1.0, 0.0, 3e-4, 2e-3, 0.05}) {
    shape.damping = damping;
    const DefaultChoice choice =
        default_pipeline(als_pipelines(), shape, traits_of_architecture(90));
    const bool small = damping >= 0 && damping < 1e-3;
    EXPECT_EQ(choice.steps[0].config.get("matrix"), small ? "fp32" : "fp16") << damping;
    EXPECT_EQ(choice.reason.find("positive definite") != std::string::npos, small);
  }
}

// Rows of two ratings do not determine factors of rank 32.
TEST(DefaultPipeline, TakesSixStepsAndNoBytesWhereRowsAreShort) {
  const Shape shape{2000000, 20000, 3800000, 32, {0, 1, 2, 3, 3, 3, 13}, 0};
  const DefaultChoice choice = default_pipeline(als_pipelines(), shape, traits_of_architecture(90));
  EXPECT_EQ(choice.steps[0].config.integer("steps"), 6);
  EXPECT_TRUE(choice.steps[0].config.is("factors", "fp16"));
}

TEST(DefaultPipeline, TakesNoMoreStepsThanTheLongestRowHasDistinctEigenvalues) {
  const Shape shape{2000000, 20000, 3800000, 32, {0, 1, 2, 3, 3, 3, 3}, 0};
  for (const DeviceTraits& traits : {traits_of_architecture(90), cpu()})
    EXPECT_EQ(default_pipeline(als_pipelines(), shape, traits).steps[0].config.integer("steps"), 4);
}

TEST(DefaultPipeline, MakesNoBytesOfFactorsThatAreHardlyRead) {
  Shape shape{20000, 2000000, 3800000, 32, {1, 41, 93, 208, 430, 1505, 12042}, 0};
  const auto factors = [&] {
    return default_pipeline(als_pipelines(), shape, traits_of_architecture(90))
        .steps[0]
        .config.get("factors");
  };
  EXPECT_EQ(factors(), "fp16");
  shape.cols = 100000;  // each is read 38 times
  EXPECT_EQ(factors(), "int8");
}

// Whatever is asked: what is chosen can run, or nothing of its stages can.
TEST(DefaultPipeline, CanRunOnEveryArchitectureUpToTheGreatestRank) {
  for (const int architecture : known_architectures())
    for (int32_t rank = 1; rank <= 256; rank += 5) {
      const DeviceTraits traits = traits_of_architecture(architecture);
      const DefaultChoice choice =
          default_pipeline(als_pipelines(), netflix_users_as_drawn(rank), traits);
      EXPECT_EQ(objection_of(choice.steps, netflix_users_as_drawn(rank), traits), std::nullopt)
          << "sm_" << architecture << ", rank " << rank << ": " << choice.reason;
    }
}

TEST(DefaultStep, IsThatOfTheFirstDefaultPipelineWhichHasTheStage) {
  const Shape shape = netflix_users_as_drawn(100);
  const DeviceTraits gpu = traits_of_architecture(90);
  for (const DeviceTraits& traits : {gpu, cpu()})
    EXPECT_EQ(text_of(default_step("update", shape, traits)),
              text_of(default_pipeline(als_pipelines(), shape, traits)));
  EXPECT_EQ(default_step("solve", shape, gpu).steps[0].variant->name, "cg");
  EXPECT_EQ(default_step("normal_equations", shape, gpu).steps[0].variant->name, "mma");
}

TEST(DefaultStep, OfAVariantIsItsDefaultConfiguration) {
  const DefaultChoice choice =
      default_step("update/fused", netflix_users_as_drawn(100), traits_of_architecture(90));
  EXPECT_EQ(choice.steps[0].config, choice.steps[0].variant->space.default_config());
  EXPECT_THROW(default_step("update/fussed", netflix_users_as_drawn(100), cpu()), UsageError);
  EXPECT_THROW(default_step("updat", netflix_users_as_drawn(100), cpu()), UsageError);
}

TEST(DefaultPipeline, OfABackendWithoutAnySaysWhichHasSome) {
  PipelineGrammar grammar = implicit_pipelines();
  std::erase_if(grammar.presets,
                [](const auto& preset) { return preset.backend == Backend::cuda; });
  EXPECT_TRUE(begins(default_pipeline(grammar, netflix_users_as_drawn(64), cpu()),
                     "implicit_update:matrix_free:"));
  const DeviceTraits gpu = traits_of_architecture(90);
  EXPECT_TRUE(
      contains(thrown_by([&] { default_pipeline(grammar, netflix_users_as_drawn(64), gpu); }),
               "choose a device of backend cpu"));
}

TEST(DefaultPipeline, OfImplicitAlsIsFusedWhereAWarpHoldsARow) {
  const DeviceTraits traits = traits_of_architecture(90);
  EXPECT_TRUE(begins(default_pipeline(implicit_pipelines(), netflix_users_as_drawn(100), traits),
                     "implicit_update:fused:"));
  EXPECT_TRUE(begins(default_pipeline(implicit_pipelines(), netflix_users_as_drawn(128), traits),
                     "implicit_equations:tiled:"));
}

}  // namespace
}  // namespace alsbench
