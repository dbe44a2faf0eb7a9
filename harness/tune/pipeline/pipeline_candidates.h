// SPDX-License-Identifier: Apache-2.0
// Candidates for whole pipelines, put together by a grammar from what the searches of their stages
// found. They are computed from names and seconds alone.
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
// Results for each stage that was searched, the fastest first. Only verified points.
using MeasuredStages = std::map<Stage, std::vector<MeasuredStep>>;

// Properties that decide a pipeline's accuracy besides its rung: its storage types, and whether it
// has a ladder. The sums of all variants are FP32, and their order does not show in the metric.
struct Precision {
  Storage storage;
  bool iterative = false;            // has a ladder
  std::string text() const;          // "factors fp16, matrices fp32, iterative"
  std::string storage_text() const;  // "factors fp16, matrices fp32"
  friend auto operator<=>(const Precision&, const Precision&) = default;
};
Precision precision_of(const Pipeline& pipeline);

struct PipelineCandidate {
  Pipeline pipeline;
  double seconds = 0;  // expected: the sum of its stages
};

// The `maximum` candidates of each precision, the fastest first. Steps that share matrices agree on
// their storage type. A stage without matrices that is not the first has one step in all of them.
// It is the fastest that reads factors of the first step's type, or else the fastest.
std::map<Precision, std::vector<PipelineCandidate>> candidates(const PipelineGrammar& grammar,
                                                               const MeasuredStages& stages,
                                                               size_t maximum);

// The least time of a candidate without that stage, so far. Infinite where there is none.
double fastest_without(Stage stage, const PipelineGrammar& grammar, const MeasuredStages& stages);

// The accuracy parameter of a pipeline that has a ladder (variants/core/parameter_space.h). Null
// where all its steps are direct.
const Parameter* ladder_of(const Pipeline& pipeline);
// Its place on its ladder, 0 at the exact end. Also 0 for a value that is not on the ladder, or
// where there is none.
size_t rung_of(const Pipeline& pipeline);
// The same pipeline on another rung; unchanged where it has no ladder.
Pipeline on_rung(Pipeline pipeline, size_t rung);
// How many times faster a pipeline may at most be on another rung than on its own. At least 1.
double max_gain(const Pipeline& pipeline, size_t rung);
// "6 steps"; "direct".
std::string rung_text(const Pipeline& pipeline);

// How many of its settings are not its variants' defaults.
int parameters_changed(const Pipeline& pipeline);

}  // namespace alsbench
