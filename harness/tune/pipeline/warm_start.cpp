// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/warm_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/tune/pipeline/pipeline_candidates.h"
#include "variants/als/parameters.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

// The pipeline with as many CG steps in late iterations as in the first ones.
Pipeline with_equal_steps(Pipeline pipeline) {
  for (PipelineStep& step : pipeline.steps)
    if (step.config.has(parameters::kLateSteps.name))
      step.config =
          step.config.with(parameters::kLateSteps.name, parameters::kLateSteps.values.front().text);
  return pipeline;
}

}  // namespace

std::optional<WarmStart> find_warm_start(
    const TuningDatabase& database, const Recipe& recipe,
    const std::function<TunedQuery(const std::string&)>& query_of) {
  const Algorithm& algorithm = *recipe.algorithm;
  WarmStart start{recipe, ""};
  std::map<std::string, Pipeline> own;
  std::string lead;
  for (const std::string& part : algorithm.parts) {
    const Served served = database.look_up(query_of(part));
    start.reason += fmt::format("{}{}: {}", start.reason.empty() ? "" : "; ", part, served.line());
    if (!served.entry) continue;
    if (lead.empty()) lead = part;
    own[part] = with_equal_steps(Pipeline{served.steps});
  }
  if (lead.empty()) return std::nullopt;
  size_t rung = rung_of(own.at(lead));
  for (const std::string& part : algorithm.parts) {
    const auto found = own.find(part);
    const bool fits =
        found != own.end() && precision_of(found->second) == precision_of(own.at(lead));
    const bool alike = &algorithm.pipelines(part) == &algorithm.pipelines(lead);
    if (!fits && !alike) return std::nullopt;
    const Pipeline& pipeline = fits ? found->second : own.at(lead);
    const TunedQuery query = query_of(part);
    if (objection_of(pipeline.steps, query.shape, query.device)) return std::nullopt;
    rung = std::min(rung, rung_of(pipeline));  // the more exact
    start.recipe.pipelines[part] = pipeline;
  }
  for (auto& [part, pipeline] : start.recipe.pipelines) pipeline = on_rung(pipeline, rung);
  return start;
}

}  // namespace alsbench
