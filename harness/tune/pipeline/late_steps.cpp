// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/late_steps.h"

#include <string>

#include "variants/als/knobs.h"

namespace alsbench {

std::optional<Recipe> with_fewer_late_steps(const Recipe& recipe) {
  Recipe fewer = recipe;
  bool changed = false;
  for (auto& [part, pipeline] : fewer.pipelines)
    for (PipelineStep& step : pipeline.steps) {
      if (!step.config.has(knobs::kLateSteps.name)) continue;
      const Config late = knobs::late_config(step.config).value_or(step.config);
      const int steps = late.integer(knobs::kSteps.name) - 1;
      if (steps < 1) continue;
      step.config = step.config.with(knobs::kLateSteps.name, std::to_string(steps));
      changed = true;
    }
  return changed ? std::optional(std::move(fewer)) : std::nullopt;
}

}  // namespace alsbench
