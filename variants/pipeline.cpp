// SPDX-License-Identifier: Apache-2.0
#include "variants/pipeline.h"

#include <algorithm>

#include "variants/als/stages.h"
#include "variants/catalog.h"
#include "variants/core/error.h"
#include "variants/core/suggestion.h"

namespace alsbench {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool has_stage(const Pipeline& pipeline, Stage stage) {
  return std::any_of(pipeline.steps.begin(), pipeline.steps.end(),
                     [&](const PipelineStep& step) { return step.variant->stage == stage; });
}

// Of a stage in the table, which lists those of a half-iteration in the order of execution.
std::ptrdiff_t place_of(Stage stage) {
  return std::find(all_stages().begin(), all_stages().end(), stage) - all_stages().begin();
}

void check_complete(const Pipeline& pipeline) {
  const bool update = has_stage(pipeline, &stages::update);
  const bool equations = has_stage(pipeline, &stages::normal_equations);
  const bool parts = has_stage(pipeline, &stages::hermitian) && has_stage(pipeline, &stages::bias);
  const bool solve = has_stage(pipeline, &stages::solve);
  const size_t expected = update ? 1 : equations ? 2 : 3;
  const bool complete = update || ((equations || parts) && solve);
  if (!complete || pipeline.steps.size() != expected)
    throw UsageError(
        "a pipeline is update, or normal_equations + solve, or hermitian + bias + solve; got '" +
        pipeline.text() + "'");
}

void check_storage(const Pipeline& pipeline) {
  const PipelineStep* producer = nullptr;
  for (const auto& step : pipeline.steps) {
    const Stage stage = step.variant->stage;
    if (stage == &stages::hermitian || stage == &stages::normal_equations) producer = &step;
    if (stage != &stages::solve || producer == nullptr) continue;
    const Scalar written = matrices_storage(producer->config), read = matrices_storage(step.config);
    if (written != read)
      throw UsageError("pipeline '" + pipeline.text() + "': " + producer->variant->id() +
                       " writes A in " + std::string(name_of(written)) + " but " +
                       step.variant->id() + " reads " + std::string(name_of(read)) +
                       "; make output and matrix equal");
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

const std::vector<PipelinePreset>& pipeline_presets() {
  static const std::vector<PipelinePreset> presets{
      {"exact", Backend::cuda, "hermitian:tiled/bias:spmm/solve:cholesky",
       "FP32 and a direct solver: what every other pipeline is judged against"},
      {"cumf-als", Backend::cuda,
       "hermitian:tiled:gather=strided,l1=on,output=fp16/bias:spmm/solve:cg:matrix=fp16,steps=6",
       "the paper's system: strided load through L1, CG with A in FP16"},
      {"cg-fp32", Backend::cuda, "hermitian:tiled:gather=strided,l1=on/bias:spmm/solve:cg:steps=6",
       "the paper's approximate solver before reduced precision"},
      {"gpu-als", Backend::cuda, "hermitian:tiled:gather=strided,l1=off/bias:spmm/solve:lu",
       "the paper's predecessor: strided load, batched LU"},
      {"tensor-cores", Backend::cuda,
       "normal_equations:mma:factors=fp16/solve:cg:cache=registers,steps=6",
       "beyond the paper: A and b in one pass on tensor cores, CG with A held in registers"},
      {"fused", Backend::cuda, "update:fused:factors=fp16,steps=6",
       "beyond the paper: a half-iteration in one kernel, A never in memory"},
      {"exact", Backend::cpu, "hermitian:blocked/bias:rows/solve:cholesky",
       "FP32 and a direct solver: what every other pipeline is judged against"},
      {"cg-fp32", Backend::cpu, "hermitian:blocked/bias:rows/solve:cg:steps=6",
       "the paper's approximate solver"},
      {"cg-fp16", Backend::cpu,
       "hermitian:blocked:output=fp16/bias:rows/solve:cg:matrix=fp16,steps=6",
       "the paper's approximate solver with A in FP16"},
      {"fused", Backend::cpu, "update:blocked:steps=6",
       "cg-fp32 a few rows at a time, A never beyond the cache"},
  };
  return presets;
}

Pipeline parse_pipeline(std::string_view text, Backend backend) {
  for (const auto& preset : pipeline_presets())
    if (preset.name == text && preset.backend == backend)
      return parse_pipeline(preset.text, backend);
  if (text.find(':') == std::string_view::npos) {
    std::vector<std::string> names;
    for (const auto& preset : pipeline_presets())
      if (preset.backend == backend) names.push_back(preset.name);
    throw UsageError(unknown_name("pipeline", text, names,
                                  ", or stage:variant[:name=value,...] steps joined by '/'"));
  }
  Pipeline pipeline;
  for (const auto part : split(text, '/')) pipeline.steps.push_back(parse_step(part, backend));
  std::stable_sort(pipeline.steps.begin(), pipeline.steps.end(),
                   [](const PipelineStep& a, const PipelineStep& b) {
                     return place_of(a.variant->stage) < place_of(b.variant->stage);
                   });
  check_complete(pipeline);
  check_storage(pipeline);
  return pipeline;
}

Pipeline exact_pipeline(Backend backend) { return parse_pipeline("exact", backend); }

const std::vector<std::string>& default_pipelines(Backend backend) {
  static const std::vector<std::string> cuda{"update:fused:matrix=fp16,steps=6",
                                             "update:fused:steps=6", "cg-fp32"};
  static const std::vector<std::string> cpu{"update:matrix_free:steps=6", "cg-fp32"};
  return backend == Backend::cuda ? cuda : cpu;
}

}  // namespace alsbench
