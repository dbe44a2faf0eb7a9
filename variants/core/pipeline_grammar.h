// SPDX-License-Identifier: Apache-2.0
// PipelineGrammar: the pipelines that update a part of an algorithm's model, as data.
// variants/pipeline.h reads texts by it.
#pragma once

#include <string>
#include <vector>

#include "variants/core/backend.h"
#include "variants/core/device_traits.h"
#include "variants/core/shape.h"
#include "variants/core/stage.h"

namespace alsbench {

// A pipeline with a name.
struct PipelinePreset {
  std::string name;
  Backend backend = Backend::cpu;
  std::string text;
  std::string summary;
};

// A pipeline that may run where nothing was tuned, and what a rule expects of it.
struct RuledPipeline {
  std::string text;              // of the pipeline, or the name of a preset
  double seconds = 0;            // of a part's update; 0: not known
  std::string explanation = {};  // for people: "expected in 5.2 ms, by ..."
};

struct PipelineGrammar {
  // The sequences of stages that are complete, each in the order of execution, the shortest first.
  std::vector<std::vector<Stage>> forms;
  // "exact" is one of each backend that has any. On a GPU, where it objects to some ranks or
  // devices, there is "exact-library" as well, which does not: every other pipeline is judged
  // against it.
  std::vector<PipelinePreset> presets;
  // Pipelines that may run where nothing was tuned, the best first. Some of them may object.
  std::vector<RuledPipeline> (*by_rule)(const Shape& shape, const DeviceTraits& traits) = nullptr;
};

}  // namespace alsbench
