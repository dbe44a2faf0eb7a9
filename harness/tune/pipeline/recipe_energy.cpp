// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/recipe_energy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "harness/tune/pipeline/pipeline_choice.h"
#include "harness/tune/pipeline/pipeline_document.h"

namespace alsbench {

std::vector<Recipe> recipes_for_energy(const PipelineTuning& tuning, const Recipe& begun) {
  std::vector<Recipe> recipes;
  const auto add = [&](const Recipe& recipe) {
    const auto same = [&](const Recipe& other) { return other.text() == recipe.text(); };
    if (std::ranges::none_of(recipes, same)) recipes.push_back(recipe);
  };
  Recipe chosen = begun, fallback = begun;
  for (const PartChoice& choice : tuning.parts) {
    chosen.pipelines[choice.part] = choice.pick;
    fallback.pipelines[choice.part] = choice.fallback;
  }
  add(fallback);
  add(chosen);
  const auto seconds = [](const Contender& contender) {
    return contender.totals.empty() ? std::numeric_limits<double>::infinity()
                                    : median_of(contender.totals);
  };
  double best = std::numeric_limits<double>::infinity();
  for (const Contender& contender : tuning.playoff)
    if (contender.eligible) best = std::min(best, seconds(contender));
  for (const Contender& contender : tuning.playoff)
    if (contender.eligible && seconds(contender) <= kSlowestForEnergy * best)
      add(contender.pipelines);
  return recipes;
}

RecipeEnergyFront measure_front(SearchObjective objective, const std::vector<Recipe>& recipes,
                                const std::function<TrainingEnergy(const Recipe&)>& energy_of) {
  std::vector<RecipeEnergy> measured;
  for (const Recipe& recipe : recipes)
    if (const auto energy = energy_of(recipe).measured)
      measured.push_back({records_of(recipe), energy->seconds, *energy});
  return energy_front(objective, std::move(measured));
}

void describe(Fields<RecipeEnergy>& fields) {
  fields.record("recipe_energy", "Time and energy of an iteration of a recipe.");
  fields("pipelines", &RecipeEnergy::item);
  describe_energy(fields, "of an iteration, in the row that the energy is of");
}

void describe(Fields<RecipeEnergyFront>& fields) {
  fields.record("recipe_energy_front", "Recipes of a tuning by time and by energy.");
  describe_front(fields);
}

}  // namespace alsbench
