// SPDX-License-Identifier: Apache-2.0
// The last search of a pipeline's steps. It starts from what the stage searches found, and holds
// the storage types and the rung that passed. It ends at the configuration with the fewest
// non-default settings that is about as fast as the fastest.
#pragma once

#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

struct Refinement {
  std::vector<PipelineCandidate> candidates;  // of the pipeline's precision, the fastest first
  std::vector<StageSearch> searches;
};

struct RefinementLimits {
  double budget_seconds;  // for the whole search
  double part_seconds;    // slower starts are given up
};
// `pipeline` and the defaults of its variants are measured first. Where neither is as fast as
// `limits.part_seconds`, nothing else is measured.
Refinement refine(TrialRunner& runner, const std::string& part, const Pipeline& pipeline,
                  const PipelineTuneOptions& options, const RefinementLimits& limits);

// Tells the TrialRunner what refinements would begin with, if candidates like these (the fastest
// first) were to be refined.
void expect_refinement(TrialRunner& runner, const std::string& part,
                       const std::vector<PipelineCandidate>& candidates,
                       const PipelineTuneOptions& options);

// Of `candidates` (the fastest first) the fastest of each sequence of variants, where it takes at
// most `limit` times as long as the fastest of all.
std::vector<PipelineCandidate> fastest_of_each_sequence(
    const std::vector<PipelineCandidate>& candidates, double limit);

// The candidate with the fewest non-default settings, among the sequences of variants that have one
// within `limit`. It is the same from search to search.
const PipelineCandidate& simplest(const std::vector<PipelineCandidate>& candidates, double limit);

// The `maximum` candidates that are worth a training run:
//   - the fastest of each sequence of variants, because stages measured apart only give an
//   estimate;
//   - of those about as fast as the fastest, in turn the one with the fewest non-default settings
//     and the fastest;
//   - last, the one with the fewest non-default settings of the fastest's sequence of variants.
// The last one counts because samples of one point may be off, and all tunings meet there.
std::vector<PipelineCandidate> playoff_candidates(const std::vector<PipelineCandidate>& candidates,
                                                  size_t maximum);

}  // namespace alsbench
