// SPDX-License-Identifier: Apache-2.0
// Which contender of a playoff is taken, and what it tied with.
#include "harness/tune/pipeline/pipeline_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "variants/als/pipelines.h"

namespace alsbench {
namespace {

Contender contender(const std::string& text, std::vector<double> seconds) {
  Contender made;
  made.pipelines.pipelines["x"] = parse_pipeline(als_pipelines(), text, Backend::cpu);
  made.seconds["x"] = std::move(seconds);
  return made;
}

// A playoff that runs out of time after a round knows nothing of noise.
TEST(PipelineChoice, TakesTheFastestOfASingleRound) {
  const std::vector<Contender> playoff{contender("update:matrix_free:steps=6", {1.2}),
                                       contender("update:matrix_free:steps=4", {1.0}),
                                       contender("update:matrix_free:steps=3", {1.015})};
  const PartChoice choice = choose_part(playoff, "x", Goal::time);
  EXPECT_EQ(choice.pick.text(), playoff[1].pipelines.of("x").text());
  EXPECT_EQ(choice.median_seconds, 1.0);
  ASSERT_EQ(choice.ties.size(), 2u);
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(choice.ties[i].text(), playoff[i + 1].pipelines.of("x").text());
}

}  // namespace
}  // namespace alsbench
