// SPDX-License-Identifier: Apache-2.0
// Pipeline: a variant and configuration per stage with matching storage types: what the trainer
// runs for one side. Text form: "hermitian:tiled:gather=strided,l1=on/bias:rows/solve:cg:steps=6";
// stages in any order, the configuration may be left out. Named pipelines ("exact", "cumf-als",
// "gpu-als", ...) are the presets of pipeline_presets().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

struct PipelineStep {
  const Variant* variant = nullptr;
  Config config;
};

struct Pipeline {
  std::vector<PipelineStep>
      steps;  // in execution order: hermitian, bias, solve | normal_equations, solve | update
  std::string text() const;  // canonical, complete
};

struct PipelinePreset {
  std::string name;
  Backend backend = Backend::cpu;
  std::string text;
  std::string summary;
};

const std::vector<PipelinePreset>& pipeline_presets();

// One step, "solve:cg:steps=6"; unnamed parameters at their default. Throws UsageError.
PipelineStep parse_step(std::string_view text, Backend backend);
// Complete and canonical: what parse_step reads back.
std::string text_of(const PipelineStep& step);

// Parses a preset's name or the text form; throws UsageError naming the place, the nearest valid
// name, a missing stage, or storage types that do not match (hermitian output against solve
// matrix).
Pipeline parse_pipeline(std::string_view text, Backend backend);
// The exact FP32 pipeline every other is judged against.
Pipeline exact_pipeline(Backend backend);
// What may run where nothing was tuned, the best first: names or text forms. default_pipeline()
// takes the first that objects to nothing.
const std::vector<std::string>& default_pipelines(Backend backend);

}  // namespace alsbench
