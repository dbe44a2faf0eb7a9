// SPDX-License-Identifier: Apache-2.0
#include "variants/pipeline.h"

#include <gtest/gtest.h>

#include "tests/unit/texts.h"
#include "variants/als/pipelines.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

std::string message_of(const std::string& text) {
  return thrown_by([&] { parse_pipeline(als_pipelines(), text, Backend::cpu); });
}

TEST(PipelineTest, EveryPresetOfTheCpuParsesToItsOwnCanonicalText) {
  int presets = 0;
  for (const auto& preset : als_pipelines().presets) {
    if (preset.backend != Backend::cpu) continue;
    const Pipeline pipeline = parse_pipeline(als_pipelines(), preset.name, Backend::cpu);
    EXPECT_EQ(parse_pipeline(als_pipelines(), pipeline.text(), Backend::cpu).text(),
              pipeline.text());
    ++presets;
  }
  EXPECT_GE(presets, 3);
}

TEST(PipelineTest, StepsStandInExecutionOrder) {
  const Pipeline pipeline =
      parse_pipeline(als_pipelines(), "solve:cholesky/bias:rows/hermitian:blocked", Backend::cpu);
  ASSERT_EQ(pipeline.steps.size(), 3u);
  EXPECT_EQ(pipeline.steps[0].variant->stage, &stages::hermitian);
  EXPECT_EQ(pipeline.steps[2].variant->stage, &stages::solve);
}

TEST(PipelineTest, MismatchedStorageNamesBothSides) {
  const std::string message =
      message_of("hermitian:blocked:output=fp16/bias:rows/solve:cg:matrix=fp32");
  EXPECT_TRUE(contains(message, "hermitian/blocked/cpu writes A in fp16"));
  EXPECT_TRUE(contains(message, "solve/cg/cpu reads fp32"));
  EXPECT_TRUE(
      contains(message_of("hermitian:blocked:output=fp16/bias:rows/solve:cholesky"), "fp16"));
}

TEST(PipelineTest, ErrorsNameTheNearestPipelineStageAndVariant) {
  EXPECT_TRUE(contains(message_of("exakt"), "did you mean 'exact'"));
  EXPECT_TRUE(contains(message_of("hermitan:blocked"), "did you mean 'hermitian'"));
  EXPECT_TRUE(contains(message_of("hermitian:bloked"), "did you mean 'blocked'"));
}

TEST(PipelineTest, AnUpdateStandsAlone) {
  EXPECT_EQ(parse_pipeline(als_pipelines(), "update:blocked:steps=3", Backend::cpu).steps.size(),
            1u);
  EXPECT_TRUE(contains(message_of("update:blocked/solve:cg"), "a pipeline is update, or"));
}

TEST(PipelineTest, AMissingStageIsAnError) {
  EXPECT_TRUE(contains(message_of("hermitian:blocked/solve:cholesky"), "hermitian + bias + solve"));
}

}  // namespace
}  // namespace alsbench
