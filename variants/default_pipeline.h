// SPDX-License-Identifier: Apache-2.0
// The default pipeline, on every shape and device: chosen by the grammar's rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

// A default that can run, or where nothing can, one that cannot.
struct DefaultChoice {
  std::vector<PipelineStep> steps;
  std::string reason;  // which rule chose it, and why none before it: one line for people
};

// Why one of the steps cannot run there, or nothing.
std::optional<std::string> objection_of(const std::vector<PipelineStep>& steps, const Shape& shape,
                                        const DeviceTraits& traits);

// Whether a backend has pipelines of the grammar.
bool has_pipelines(const PipelineGrammar& grammar, Backend backend);

// The pipeline of a part of that shape: the first by the grammar's rules that objects to nothing
// there. Where all object, it is the last one. Each of its steps that cannot run is replaced by the
// first that can: another point of the variant, then other variants of the stage with equal storage
// types. Throws UsageError where the backend has no pipelines.
DefaultChoice default_pipeline(const PipelineGrammar& grammar, const Shape& shape,
                               const DeviceTraits& traits);

// Whether the grammar's rules weigh a pipeline of the same variants there.
bool covered_by_rule(const PipelineGrammar& grammar, const std::vector<PipelineStep>& steps,
                     const Shape& shape, const DeviceTraits& traits);

// For a stage, "solve": the step of the first pipeline by rule that has the stage and no objection
// there, else the stage's first variant. Of a variant, "solve/cg": its default configuration. Steps
// that cannot run are replaced as above. Throws UsageError where the backend has nothing of that
// name.
DefaultChoice default_step(const std::string& what, const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
