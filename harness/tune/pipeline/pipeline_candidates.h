// SPDX-License-Identifier: Apache-2.0
// Candidates for whole pipelines, put together by a grammar from what a search of their stages
// found. Pure arithmetic on names and seconds.
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

// What decides a pipeline's accuracy, its rung on a ladder apart: storage types, and whether it has
// a ladder. The sums of all variants are FP32; how they are ordered does not show in the metric.
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

// The `most` candidates of each precision, the fastest first. Steps that share matrices agree on
// their storage type. Of a stage that has none, and does not come first, the fastest step is taken
// that reads the factors as the first step does, or else the fastest.
std::map<Precision, std::vector<PipelineCandidate>> candidates(const PipelineGrammar& grammar,
                                                               const MeasuredStages& stages,
                                                               size_t most);

// The least time of a candidate without that stage by now: infinite where there is none.
double fastest_without(Stage stage, const PipelineGrammar& grammar, const MeasuredStages& stages);

// The accuracy parameter of a pipeline that has a ladder (variants/core/parameter_space.h). Null
// where all its steps are direct.
const Parameter* ladder_of(const Pipeline& pipeline);
// Where it stands on its ladder, 0 at the exact end: there stands, too, what is beside the ladder
// or has none.
size_t rung_of(const Pipeline& pipeline);
// The same pipeline on another rung; as it is where it has no ladder.
Pipeline on_rung(Pipeline pipeline, size_t rung);
// How many times faster a pipeline may be on another rung than on its own. At least 1.
double most_gained(const Pipeline& pipeline, size_t rung);
// "6 steps"; "direct".
std::string rung_text(const Pipeline& pipeline);

// How many of its settings are not its variants' defaults.
int settings_changed(const Pipeline& pipeline);

}  // namespace alsbench
