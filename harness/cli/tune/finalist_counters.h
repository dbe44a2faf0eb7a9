// SPDX-License-Identifier: Apache-2.0
// Hardware counters of a tuning's finalists, taken after its playoff (--counters).
#pragma once

#include <string>
#include <vector>

#include "harness/record/counters.h"
#include "harness/tune/pipeline/pipeline_tuner.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

struct CountedPoint {
  std::string text;  // of a point of the space, or of a step of a pipeline
  CountersRecord counters;
};

// Of the finalists, the choice first; of the choice alone where there was no playoff. With a cold
// cache, as points are measured.
std::vector<CountedPoint> count_finalists(const TuningResult& result, const SearchSpace& space,
                                          TuningWorker& worker, const std::string& part);

// Of each step of the pipelines that a part's playoff ended with: the choice first, then its ties
// and the default.
std::vector<CountedPoint> count_finalists(const PipelineTuning& tuning, const PartChoice& choice,
                                          TuningWorker& worker);

// `what` the points are: "point" or "step".
Json to_json(const std::vector<CountedPoint>& points, const std::string& what);
std::string counters_table(const std::vector<CountedPoint>& points, const std::string& what);

}  // namespace alsbench
