// SPDX-License-Identifier: Apache-2.0
// The searches of a pipeline's stages for one part of the model. They go form by form of its
// grammar, so a form which cannot win is left out.
#pragma once

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

// The space of a stage for one part, or why there is none.
struct StageSpace {
  Stage stage = nullptr;
  std::optional<SearchSpace> space;
  std::string reason;
  std::optional<size_t> default_point = {};  // what runs where nothing was tuned, where it is there
};
// The step with its accuracy as the searches hold it: what one that they found faulty is compared
// with.
PipelineStep as_searched(PipelineStep step);
// Of all stages that are searched, in the order of their searches.
std::vector<StageSpace> stage_spaces(const PipelineGrammar& grammar, const Shape& shape,
                                     const DeviceTraits& traits);

// Results of a search: the points that are right, the fastest first.
std::vector<MeasuredStep> measured_steps(const TuningResult& result, const SearchSpace& space);
// The record of a search that ended. Reports it to people, too.
StageSearch ended_search(TrialRunner& runner, const std::string& part, const SearchSpace& space,
                         TuningResult result);

struct SearchedPart {
  MeasuredStages stages;
  std::vector<StageSearch> searches;
};

// Tells the TrialRunner what the searches of a part begin with, whatever they find.
void expect_searches(TrialRunner& runner, const std::string& part,
                     const std::vector<StageSpace>& spaces, const PipelineTuneOptions& options);
// `seconds` is what the searches of this part may take together.
SearchedPart search_stages(TrialRunner& runner, const std::string& part,
                           const std::vector<StageSpace>& spaces,
                           const PipelineTuneOptions& options, double seconds);

}  // namespace alsbench
