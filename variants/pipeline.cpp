// SPDX-License-Identifier: Apache-2.0
#include "variants/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/split.h"
#include "base/suggestion.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// Puts the steps into the order of a form. False where they are not the stages of that form.
bool arrange(std::vector<PipelineStep>& steps, const std::vector<Stage>& form) {
  std::vector<Stage> stages;
  for (const PipelineStep& step : steps) stages.push_back(step.variant->stage);
  if (!std::is_permutation(stages.begin(), stages.end(), form.begin(), form.end())) return false;
  const auto place = [&](const PipelineStep& step) {
    return std::find(form.begin(), form.end(), step.variant->stage);
  };
  std::sort(steps.begin(), steps.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return true;
}

void check_complete(const PipelineGrammar& grammar, Pipeline& pipeline) {
  std::vector<std::string> forms;
  for (const std::vector<Stage>& form : grammar.forms) {
    if (arrange(pipeline.steps, form)) return;
    std::vector<std::string_view> names;
    for (const Stage stage : form) names.push_back(name_of(stage));
    forms.push_back(fmt::format("{}", fmt::join(names, " + ")));
  }
  throw UsageError(
      fmt::format("a pipeline is {}; got '{}'", fmt::join(forms, ", or "), pipeline.text()));
}

// Who reads matrices reads the type that they were written in.
void check_storage(const Pipeline& pipeline) {
  const PipelineStep* producer = nullptr;
  for (const auto& step : pipeline.steps) {
    if (!step.variant->stage->has_matrices) continue;
    const Scalar type = step.storage().matrices;
    if (producer != nullptr && producer->storage().matrices != type)
      throw UsageError(fmt::format(
          "pipeline '{}': {} writes A in {} but {} reads {}; make output and matrix equal",
          pipeline.text(), producer->variant->id(), name_of(producer->storage().matrices),
          step.variant->id(), name_of(type)));
    producer = &step;
  }
}

}  // namespace

PipelineStep parse_step(std::string_view text, Backend backend) {
  const size_t first = text.find(':');
  if (first == std::string_view::npos)
    throw UsageError("'" + std::string(text) +
                     "' is not of the form stage:variant[:name=value,...]");
  const std::string_view stage_text = text.substr(0, first);
  const std::string_view rest = text.substr(first + 1);
  const size_t second = rest.find(':');
  const auto stage = stage_named(stage_text);
  if (!stage) {
    std::vector<std::string> names;
    for (const Stage known : all_stages()) names.emplace_back(name_of(known));
    throw UsageError(unknown_name("stage", stage_text, names));
  }
  const Variant& variant = variant_named(*stage, rest.substr(0, second), backend);
  const std::string_view config = second == std::string_view::npos ? "" : rest.substr(second + 1);
  return {&variant, variant.space.parse(config)};
}

std::string text_of(const PipelineStep& step) {
  std::string text = std::string(name_of(step.variant->stage)) + ":" + step.variant->name;
  if (!step.config.entries().empty()) text += ":" + step.config.text();
  return text;
}

std::string Pipeline::text() const {
  std::string text;
  for (const auto& step : steps) text += (text.empty() ? "" : "/") + text_of(step);
  return text;
}

Pipeline parse_pipeline(const PipelineGrammar& grammar, std::string_view text, Backend backend) {
  std::vector<std::string> names;
  for (const auto& preset : grammar.presets) {
    if (preset.backend != backend) continue;
    if (preset.name == text) return parse_pipeline(grammar, preset.text, backend);
    names.push_back(preset.name);
  }
  if (text.find(':') == std::string_view::npos)
    throw UsageError(unknown_name("pipeline", text, names,
                                  ", or stage:variant[:name=value,...] steps joined by '/'"));
  Pipeline pipeline;
  for (const auto part : split(text, "/")) pipeline.steps.push_back(parse_step(part, backend));
  check_complete(grammar, pipeline);
  check_storage(pipeline);
  return pipeline;
}

Pipeline exact_pipeline(const PipelineGrammar& grammar, Backend backend) {
  const bool has_library =
      std::any_of(grammar.presets.begin(), grammar.presets.end(),
                  [](const PipelinePreset& preset) { return preset.name == "exact-library"; });
  const bool library = backend == Backend::cuda && has_library;
  return parse_pipeline(grammar, library ? "exact-library" : "exact", backend);
}

}  // namespace alsbench
