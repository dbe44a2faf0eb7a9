// SPDX-License-Identifier: Apache-2.0
// Which pipelines are put together from the stages, and which of them play.
#include <gtest/gtest.h>

#include "harness/tune/pipeline/refinement.h"
#include "tests/unit/texts.h"
#include "variants/als/pipelines.h"

namespace alsbench {
namespace {

TEST(Candidates, MatchStorageTypes) {
  MeasuredStages stages;
  const auto add = [&](const std::string& text, double seconds) {
    const PipelineStep step = parse_step(text, Backend::cuda);
    stages[step.variant->stage].push_back({step, seconds});
  };
  add("normal_equations:mma:output=fp16", 1);
  add("normal_equations:mma:output=fp32", 2);
  add("solve:cg:matrix=fp32", 1);
  add("solve:cholesky", 10);
  add("hermitian:tiled:factors=fp16,buffers=1,output=fp32", 5);
  add("bias:rows:factors=fp32", 1);
  add("bias:rows:factors=fp16", 2);
  const auto found = candidates(als_pipelines(), stages, 5);
  EXPECT_EQ(found.size(), 2u);  // nothing reads the matrices in fp16
  const auto& iterative = found.at({{Scalar::fp16, Scalar::fp32}, true});
  ASSERT_EQ(iterative.size(), 2u);
  EXPECT_EQ(iterative[0].seconds, 3);
  EXPECT_FALSE(contains(iterative[1].pipeline.text(), "bias:rows:threads=128,l1=on,factors=fp32"));
  for (const auto& [precision, list] : found)
    for (const PipelineCandidate& candidate : list)
      EXPECT_NO_THROW(parse_pipeline(als_pipelines(), candidate.pipeline.text(), Backend::cuda));
}

// Candidates of these pipelines and milliseconds, the fastest first.
std::vector<PipelineCandidate> candidates_of(
    const std::vector<std::pair<std::string, double>>& list) {
  std::vector<PipelineCandidate> found;
  for (const auto& [text, seconds] : list)
    found.push_back({parse_pipeline(als_pipelines(), text, Backend::cuda), seconds});
  return found;
}

TEST(Candidates, TheSimplestIsOfAMakeUpThatMayWin) {
  const auto list = candidates_of({{"update:fused:matrix=fp16,l1=off,chunk=1024", 1.0},
                                   {"update:fused:matrix=fp16,warps=1", 1.05},
                                   {"update:fused:matrix=fp16", 1.5},
                                   {"update:matrix_free", 3.0}});
  EXPECT_EQ(&simplest(list, 1.1), &list[2]) << "slower than the limit, but its make-up is not";
  EXPECT_EQ(&simplest(list, 4), &list[3]);
}

TEST(Candidates, TheSimplestAndTheFastestPlayInTurn) {
  const auto list = candidates_of({{"update:fused:l1=off,chunk=1024,warps=1", 1.0},
                                   {"update:fused:l1=off,chunk=1024", 1.01},
                                   {"update:fused:chunk=1024", 1.02},
                                   {"update:fused", 1.03},
                                   {"update:matrix_free", 1.05},
                                   {"update:fused:chunk=8192", 1.5}});
  const auto texts = [](const std::vector<PipelineCandidate>& candidates) {
    std::vector<std::string> list_of;
    for (const PipelineCandidate& candidate : candidates)
      list_of.push_back(candidate.pipeline.text());
    return list_of;
  };
  const std::vector<PipelineCandidate> expected{list[0], list[4], list[3], list[1]};
  EXPECT_EQ(texts(playoff_candidates(list, 4)), texts(expected));
  EXPECT_EQ(playoff_candidates(list, 10).size(), 5u) << "the last one is too slow";
}

TEST(Candidates, TheSimplestPlaysWhateverItsSamplesWere) {
  const auto list = candidates_of({{"update:fused:stages=3", 1.0},
                                   {"update:fused:warps=1", 1.01},
                                   {"update:fused", 1.08},
                                   {"update:matrix_free", 1.5}});
  for (const size_t maximum : {2, 14}) {
    const auto playing = playoff_candidates(list, maximum);
    ASSERT_EQ(playing.size(), std::min<size_t>(maximum, 3));
    EXPECT_EQ(playing.back().pipeline.text(), list[2].pipeline.text());
  }
}

}  // namespace
}  // namespace alsbench
