// SPDX-License-Identifier: Apache-2.0
// The tuning database's entry of a stage that was tuned for one part.
#pragma once

#include "harness/tune/pipeline/pipeline_record.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

// `context` says where it was tuned. Where the space has one variant alone, the entry is of that
// variant ("solve/cg"), else of the stage. Throws std::logic_error where nothing was found.
TunedEntry stage_entry(const TuningResult& result, const SearchSpace& space, const Budget& budget,
                       const std::string& part, const PipelineTuningContext& context);

}  // namespace alsbench
