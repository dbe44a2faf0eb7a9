// SPDX-License-Identifier: Apache-2.0
// PipelineGrammar: the pipelines that update a part of an algorithm's model, as data.
// variants/pipeline.h reads texts by it.
#pragma once

#include <string>
#include <vector>

#include "variants/core/backend.h"
#include "variants/core/stage.h"

namespace alsbench {

// A pipeline with a name.
struct PipelinePreset {
  std::string name;
  Backend backend = Backend::cpu;
  std::string text;
  std::string summary;
};

struct PipelineGrammar {
  // The sequences of stages that are complete, each in the order of execution, the shortest first.
  std::vector<std::vector<Stage>> forms;
  // "exact", which every other pipeline is judged against, is one of each backend.
  std::vector<PipelinePreset> presets;
  // What may run where nothing was tuned, the best first: names of presets or texts.
  std::vector<std::string> cuda_defaults, cpu_defaults;

  const std::vector<std::string>& defaults(Backend backend) const {
    return backend == Backend::cuda ? cuda_defaults : cpu_defaults;
  }
};

}  // namespace alsbench
