// SPDX-License-Identifier: Apache-2.0
// The energy of a search's points (--objective energy or front), measured after its playoff.
#pragma once

#include <string>

#include "harness/tune/search/tuning_document.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// Throws EnvironmentError where the device tells no energy: before a search, which would be lost.
void require_energy(const SearchSpace& space, TuningWorker& worker, const std::string& part);

// Of the points near the best. One that fails is left out.
EnergyFront measure_front(SearchObjective objective, const TuningResult& result,
                          const SearchSpace& space, TuningWorker& worker, const std::string& part);

// Of `energy` every point, the thriftiest first; of `front` the front and the default.
std::string energy_table(const EnergyFront& front, const std::string& default_point);

}  // namespace alsbench
