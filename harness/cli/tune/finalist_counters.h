// SPDX-License-Identifier: Apache-2.0
// Hardware counters of a tuning's finalists, taken after its playoff (`tune --counters`).
#pragma once

#include <string>
#include <vector>

#include "harness/record/counters.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

struct CountedPoint {
  size_t point = 0;
  CountersRecord counters;
};

// Of the finalists, the choice first; of the choice alone where there was no playoff. With a cold
// cache, as points are measured.
std::vector<CountedPoint> count_finalists(const TuningResult& result, const SearchSpace& space,
                                          TuningWorker& worker, const std::string& part);

Json to_json(const std::vector<CountedPoint>& points, const SearchSpace& space);
std::string counters_table(const std::vector<CountedPoint>& points, const SearchSpace& space);

}  // namespace alsbench
