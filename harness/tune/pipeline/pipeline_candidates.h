// SPDX-License-Identifier: Apache-2.0
// Candidates for whole pipelines, put together from what a search of their stages found. Pure
// arithmetic on names and seconds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

struct MeasuredStep {
  PipelineStep step;
  double seconds = 0;  // median of a sample
};
// What was found of each stage that was searched, the fastest first; points that are right alone.
using MeasuredStages = std::map<Stage, std::vector<MeasuredStep>>;

// What decides a pipeline's accuracy, the number of CG steps apart: storage types and kind of
// solver. The sums of all variants are FP32; how they are ordered is not seen in an RMSE.
struct Precision {
  Scalar factors = Scalar::fp32;
  Scalar matrices = Scalar::fp32;
  bool iterative = false;
  std::string text() const;  // "factors fp16, matrices fp32, CG"
  friend auto operator<=>(const Precision&, const Precision&) = default;
};
Precision precision_of(const Pipeline& pipeline);

struct PipelineCandidate {
  Pipeline pipeline;
  double seconds = 0;  // expected: the sum of its stages
};

// The `most` candidates of each precision, the fastest first. A producer of matrices goes with
// solvers that read its storage type, hermitian with a bias of its factors' storage type where one
// was measured.
std::map<Precision, std::vector<PipelineCandidate>> candidates(const MeasuredStages& stages,
                                                               size_t most);

// The least time any candidate without hermitian and bias takes by now: infinite where there is
// none.
double fastest_without_hermitian(const MeasuredStages& stages);

// The same pipeline with at most this many CG steps; as it is where it has none.
Pipeline with_steps(Pipeline pipeline, int steps);
// How many of its settings are not its variants' defaults.
int settings_changed(const Pipeline& pipeline);
// Its CG steps; 0 for direct solvers.
int steps_of(const Pipeline& pipeline);

}  // namespace alsbench
