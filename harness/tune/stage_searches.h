// The first part of tuning a pipeline: the searches of its stages on one side, in an order that
// lets dominated ones be left out. Used by the tuner of pipelines alone.
#pragma once

#include "harness/tune/pipeline_tuner.h"

namespace alsbench {

struct SearchedSide {
  MeasuredStages stages;
  std::vector<StageSearch> searches;
};

// A search that would be made.
struct StagePlan {
  Stage stage = Stage::hermitian;
  int64_t points = 0, valid = 0, evaluations = 0;
  std::string reason;  // why there would be none
};
std::vector<StagePlan> plan_stages(const Shape& shape, const DeviceTraits& traits,
                                   const PipelineTuneOptions& options);

// `seconds`: what the searches of this side may take together.
SearchedSide search_stages(PipelineLab& lab, Side side, const PipelineTuneOptions& options,
                           double seconds);

}  // namespace alsbench
