// SPDX-License-Identifier: Apache-2.0
// Which recipes of a tuning are measured for their energy, and which of them are on the front.
#include "harness/tune/pipeline/recipe_energy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "variants/als/pipelines.h"

namespace alsbench {
namespace {

Pipeline steps(int count) {
  return parse_pipeline(als_pipelines(), "update:matrix_free:steps=" + std::to_string(count),
                        Backend::cpu);
}

Recipe recipe_of(const Pipeline& pipeline) { return uniform_recipe(default_algorithm(), pipeline); }

Contender contender(int count, double seconds, bool eligible = true) {
  Contender made;
  made.pipelines = recipe_of(steps(count));
  made.eligible = eligible;
  made.totals = {seconds};
  return made;
}

// Steps 3 are the choice, 8 the default.
PipelineTuning tuning_of(std::vector<Contender> playoff) {
  PipelineTuning tuning;
  tuning.playoff = std::move(playoff);
  for (const std::string& part : default_algorithm().parts)
    tuning.parts.push_back({part, steps(3), steps(8), 0, 0, {}});
  return tuning;
}

std::vector<std::string> texts(const std::vector<Recipe>& recipes) {
  std::vector<std::string> texts;
  for (const Recipe& recipe : recipes) texts.push_back(recipe.text());
  return texts;
}

TEST(RecipeEnergy, IsOfTheDefaultTheChoiceAndWhatIsHalfAsFast) {
  const PipelineTuning tuning =
      tuning_of({contender(3, 1.0), contender(4, 1.9), contender(5, 2.1),
                 contender(6, 0.4, /* eligible */ false), contender(8, 3.0)});
  std::vector<std::string> expected;
  for (const int count : {8, 3, 4}) expected.push_back(recipe_of(steps(count)).text());
  EXPECT_EQ(texts(recipes_for_energy(tuning, begin_recipe(default_algorithm()))), expected);
}

TEST(RecipeEnergy, LeavesOutWhatCouldNotBeMeasured) {
  const std::vector<Recipe> recipes{recipe_of(steps(8)), recipe_of(steps(3)), recipe_of(steps(4))};
  const RecipeEnergyFront front =
      measure_front(SearchObjective::front, recipes, [&](const Recipe& recipe) -> TrainingEnergy {
        if (recipe.text() == recipes[1].text()) return {{}, "the counter stood still"};
        const bool first = recipe.text() == recipes[0].text();
        return {EnergyRecord{.joules = first ? 2.0 : 3.0, .seconds = first ? 0.5 : 0.25}, ""};
      });
  ASSERT_EQ(front.points.size(), 2U);
  EXPECT_EQ(front.points[0].seconds, 0.25);  // of the window, the fastest first
  EXPECT_EQ(front.thriftiest().energy.joules, 2.0);
  EXPECT_TRUE(front.points[0].on_front && front.points[1].on_front);
}

}  // namespace
}  // namespace alsbench
