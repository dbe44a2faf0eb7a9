// SPDX-License-Identifier: Apache-2.0
#include "variants/pipeline.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "variants/als/pipelines.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_pipeline(als_pipelines(), text, Backend::cpu);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
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
  EXPECT_NE(message.find("hermitian/blocked/cpu writes A in fp16"), std::string::npos) << message;
  EXPECT_NE(message.find("solve/cg/cpu reads fp32"), std::string::npos) << message;
  EXPECT_NE(message_of("hermitian:blocked:output=fp16/bias:rows/solve:cholesky").find("fp16"),
            std::string::npos);
}

TEST(PipelineTest, ErrorsNameTheNearestPipelineStageAndVariant) {
  EXPECT_NE(message_of("exakt").find("did you mean 'exact'"), std::string::npos);
  EXPECT_NE(message_of("hermitan:blocked").find("did you mean 'hermitian'"), std::string::npos);
  EXPECT_NE(message_of("hermitian:bloked").find("did you mean 'blocked'"), std::string::npos);
}

TEST(PipelineTest, AnUpdateStandsAlone) {
  EXPECT_EQ(parse_pipeline(als_pipelines(), "update:blocked:steps=3", Backend::cpu).steps.size(),
            1u);
  EXPECT_NE(message_of("update:blocked/solve:cg").find("a pipeline is update, or"),
            std::string::npos);
}

TEST(PipelineTest, AMissingStageIsAnError) {
  EXPECT_NE(message_of("hermitian:blocked/solve:cholesky").find("hermitian + bias + solve"),
            std::string::npos);
}

}  // namespace
}  // namespace alsbench
