// SPDX-License-Identifier: Apache-2.0
// Hardware counters of a tuning's finalists, taken after its playoff (--counters).
#pragma once

#include <string>
#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"
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

}  // namespace alsbench
