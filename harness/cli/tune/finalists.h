// SPDX-License-Identifier: Apache-2.0
// Measurements of a tuning's finalists after its playoff: hardware counters (--counters) and energy
// (--objective energy or front).
#pragma once

#include <string>
#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/pipeline/recipe_energy.h"
#include "harness/tune/search/tuning_document.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// Of the finalists, the choice first; of the choice alone where there was no playoff. With a cold
// cache, as points are measured.
std::vector<CountedStep> count_finalists(const TuningResult& result, const SearchSpace& space,
                                         TuningWorker& worker, const std::string& part);

// Of each step of the pipelines that a part's playoff ended with: the choice first, then its ties
// and the default.
std::vector<CountedStep> count_finalists(const PipelineTuning& tuning, const PartChoice& choice,
                                         TuningWorker& worker);

std::string counters_table(const std::vector<CountedStep>& steps);

// Throws EnvironmentError where the device tells no energy: before a search, which would be lost.
void require_energy(const SearchSpace& space, TuningWorker& worker, const std::string& part);

// Of the points near the best. One that fails is left out.
PointEnergyFront measure_front(SearchObjective objective, const TuningResult& result,
                               const SearchSpace& space, TuningWorker& worker,
                               const std::string& part);

// Of `energy` every point, the thriftiest first; of `front` the front and the default.
std::string energy_table(const PointEnergyFront& front, const std::string& default_point);
std::string energy_table(const RecipeEnergyFront& front, const std::string& default_recipe);

}  // namespace alsbench
