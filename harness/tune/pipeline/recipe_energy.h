// SPDX-License-Identifier: Apache-2.0
// Recipes that a tuning of pipelines ended with, by the time and the energy of an iteration.
#pragma once

#include <functional>
#include <vector>

#include "harness/record/pipeline_record.h"
#include "harness/record/training_record.h"
#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/search/energy_front.h"

namespace alsbench {

// A recipe; its seconds are those of an iteration in the window that its energy is of.
using RecipeEnergy = ItemEnergy<std::vector<PipelineRecord>>;
using RecipeEnergyFront = EnergyFront<std::vector<PipelineRecord>>;

// The default first, the choice, and what was accurate in the playoff and takes at most twice the
// best time, each once. `begun` has the algorithm and its hyper-parameters.
std::vector<Recipe> recipes_for_energy(const PipelineTuning& tuning, const Recipe& begun);

// Measures the recipes in order. One whose energy is missing is left out.
RecipeEnergyFront measure_front(SearchObjective objective, const std::vector<Recipe>& recipes,
                                const std::function<TrainingEnergy(const Recipe&)>& energy_of);

void describe(Fields<RecipeEnergy>& fields);
void describe(Fields<RecipeEnergyFront>& fields);

}  // namespace alsbench
