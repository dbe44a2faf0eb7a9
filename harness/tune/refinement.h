// The last search of a pipeline's steps: around what the searches of the stages found, with the
// storage types and CG steps that passed, to the plainest configuration that is about as fast. Used
// by the tuner of pipelines alone.
#pragma once

#include <vector>

#include "harness/tune/pipeline_tuner.h"

namespace alsbench {

struct Refinement {
  std::vector<PipelineCandidate> candidates;  // of the pipeline's precision, the fastest first
  std::vector<StageSearch> searches;
};

// `seconds`: what it may take.
Refinement refine(PipelineLab& lab, Side side, const Pipeline& pipeline,
                  const PipelineTuneOptions& options, double seconds);

// Those of `candidates` (the fastest first) that are worth a training run: the fastest, the
// plainest on its plateau, then the rest of that plateau; `most` of them.
std::vector<PipelineCandidate> worth_playing(const std::vector<PipelineCandidate>& candidates,
                                             size_t most);

}  // namespace alsbench
