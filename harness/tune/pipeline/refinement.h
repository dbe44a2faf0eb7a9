// SPDX-License-Identifier: Apache-2.0
// The last search of a pipeline's steps: around what the searches of the stages found, with the
// storage types and on the rung that passed, to the plainest configuration that is about as fast.
#pragma once

#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

struct Refinement {
  std::vector<PipelineCandidate> candidates;  // of the pipeline's precision, the fastest first
  std::vector<StageSearch> searches;
};

// `seconds`: what it may take. Where neither `pipeline` nor the defaults of its variants are as
// fast as `limit`, in seconds of the side, nothing else is measured.
Refinement refine(TrialRunner& lab, const std::string& part, const Pipeline& pipeline,
                  const PipelineTuneOptions& options, double seconds, double limit);

// Of `candidates` (the fastest first) the fastest of each sequence of variants, where it takes at
// most `limit` times as long as the fastest of all.
std::vector<PipelineCandidate> fastest_of_each_make_up(
    const std::vector<PipelineCandidate>& candidates, double limit);

// The plainest of those with a make-up of which one is within `limit`: what is the same from search
// to search.
const PipelineCandidate& plainest(const std::vector<PipelineCandidate>& candidates, double limit);

// Those of `candidates` that are worth a training run, `most` of them: the fastest of each make-up
// (stages measured apart add up to an estimate), then in turn the plainest and the fastest of those
// that are about as fast as the fastest. Last, where it is not among these, the plainest of the
// fastest's make-up: samples of one point may be off, and there all tunings meet.
std::vector<PipelineCandidate> worth_playing(const std::vector<PipelineCandidate>& candidates,
                                             size_t most);

}  // namespace alsbench
