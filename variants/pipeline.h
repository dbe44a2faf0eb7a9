// SPDX-License-Identifier: Apache-2.0
// Pipeline: variants and configurations that together update one part of a model. Text form:
// "hermitian:tiled:gather=strided,l1=on/bias:rows/solve:cg:steps=6"; stages in any order, the
// configuration may be left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variants/core/pipeline_grammar.h"
#include "variants/core/variant.h"

namespace alsbench {

struct PipelineStep {
  const Variant* variant = nullptr;
  Config config;
  Storage storage() const { return storage_of(*variant, config); }
};

struct Pipeline {
  std::vector<PipelineStep> steps;  // in the order of execution
  std::string text() const;         // canonical, complete
};

// One step, "solve:cg:steps=6"; unnamed parameters at their default. Throws UsageError.
PipelineStep parse_step(std::string_view text, Backend backend);
// Complete and canonical: what parse_step reads back.
std::string text_of(const PipelineStep& step);

// Parses a preset's name or the text form. Throws UsageError naming the place, the nearest valid
// name, a missing stage, or storage types that do not match (hermitian output against solve
// matrix).
Pipeline parse_pipeline(const PipelineGrammar& grammar, std::string_view text, Backend backend);
// The pipeline every other is judged against, which runs at every rank on every device.
Pipeline exact_pipeline(const PipelineGrammar& grammar, Backend backend);

}  // namespace alsbench
