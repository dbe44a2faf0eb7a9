// SPDX-License-Identifier: Apache-2.0
#include "variants/default_pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// The first point of a variant that can run and has those storage types; its default is the first.
std::optional<PipelineStep> first_runnable(const Variant& variant, const PipelineStep& like,
                                           const Shape& shape, const DeviceTraits& traits) {
  std::optional<PipelineStep> found;
  variant.space.for_each([&](const Config& config) {
    if (found || storage_of(variant, config) != like.storage()) return;
    if (!objection_of(variant, config, shape, traits)) found = PipelineStep{&variant, config};
  });
  return found;
}

std::optional<PipelineStep> runnable_step(const PipelineStep& like, const Shape& shape,
                                          const DeviceTraits& traits) {
  if (const auto own = first_runnable(*like.variant, like, shape, traits)) return own;
  for (const Variant& variant : catalog())
    if (variant.stage == like.variant->stage && variant.backend == like.variant->backend &&
        !variant.hidden)
      if (const auto other = first_runnable(variant, like, shape, traits)) return other;
  return std::nullopt;
}

struct Candidate {
  std::string name;
  std::vector<PipelineStep> steps;
  std::string explanation;
};

std::vector<Candidate> candidates(const PipelineGrammar& grammar, const Shape& shape,
                                  const DeviceTraits& traits) {
  std::vector<Candidate> list;
  for (const auto& [text, seconds, explanation] : grammar.by_rule(shape, traits))
    list.push_back({text, parse_pipeline(grammar, text, traits.backend).steps, explanation});
  return list;
}

// The stage's steps of all defaults.
std::vector<Candidate> candidates(Stage stage, const Shape& shape, const DeviceTraits& traits) {
  std::vector<Candidate> list;
  for (const PipelineGrammar* grammar : all_grammars())
    for (const Candidate& pipeline : candidates(*grammar, shape, traits))
      for (const PipelineStep& step : pipeline.steps)
        if (step.variant->stage == stage)
          list.push_back({text_of(step), {step}, "a step of " + pipeline.name});
  return list;
}

std::optional<std::string> first_objection(const std::vector<PipelineStep>& steps,
                                           const Shape& shape, const DeviceTraits& traits) {
  for (const PipelineStep& step : steps)
    if (auto objection = objection_of(*step.variant, step.config, shape, traits)) return objection;
  return std::nullopt;
}

DefaultChoice first_runnable(const std::vector<Candidate>& list, const Shape& shape,
                             const DeviceTraits& traits) {
  std::string passed_over, last;
  for (const auto& [name, steps, explanation] : list) {
    const auto objection = first_objection(steps, shape, traits);
    if (!objection)
      return {steps, fmt::format("by rule: {}{}{}{}", name, explanation.empty() ? "" : ", ",
                                 explanation, passed_over)};
    if (*objection != last) passed_over += fmt::format("; not {}: {}", name, *objection);
    last = *objection;
  }
  std::vector<PipelineStep> steps = list.back().steps;
  for (PipelineStep& step : steps)
    if (objection_of(*step.variant, step.config, shape, traits))
      if (const auto other = runnable_step(step, shape, traits)) step = *other;
  return {steps, fmt::format("by rule: {} with what cannot run replaced{}", list.back().name,
                             passed_over)};
}

}  // namespace

std::optional<std::string> objection_of(const std::vector<PipelineStep>& steps, const Shape& shape,
                                        const DeviceTraits& traits) {
  for (const PipelineStep& step : steps)
    if (const auto objection = objection_of(*step.variant, step.config, shape, traits))
      return fmt::format("{}: {}", text_of(step), *objection);
  return std::nullopt;
}

bool has_pipelines(const PipelineGrammar& grammar, Backend backend) {
  return std::any_of(grammar.presets.begin(), grammar.presets.end(),
                     [&](const PipelinePreset& preset) { return preset.backend == backend; });
}

DefaultChoice default_pipeline(const PipelineGrammar& grammar, const Shape& shape,
                               const DeviceTraits& traits) {
  if (!has_pipelines(grammar, traits.backend))
    throw UsageError(
        fmt::format("the algorithm has no pipelines of backend {}; choose a device of "
                    "backend {}",
                    name_of(traits.backend), name_of(grammar.presets.front().backend)));
  return first_runnable(candidates(grammar, shape, traits), shape, traits);
}

bool covered_by_rule(const PipelineGrammar& grammar, const std::vector<PipelineStep>& steps,
                     const Shape& shape, const DeviceTraits& traits) {
  const auto same_variant = [](const PipelineStep& a, const PipelineStep& b) {
    return a.variant == b.variant;
  };
  const std::vector<Candidate> list = candidates(grammar, shape, traits);
  return std::any_of(list.begin(), list.end(), [&](const Candidate& candidate) {
    return std::equal(steps.begin(), steps.end(), candidate.steps.begin(), candidate.steps.end(),
                      same_variant);
  });
}

DefaultChoice default_step(const std::string& what, const Shape& shape,
                           const DeviceTraits& traits) {
  const size_t slash = what.find('/');
  const auto stage = stage_named(what.substr(0, slash));
  const bool whole_stage = slash == std::string::npos;
  std::vector<Candidate> list;
  if (stage && whole_stage) list = candidates(*stage, shape, traits);
  std::vector<std::string> names;
  for (const Variant& variant : catalog()) {
    if (!stage || variant.stage != *stage || variant.backend != traits.backend) continue;
    names.push_back(variant.name);
    const bool named = whole_stage ? !variant.hidden : variant.name == what.substr(slash + 1);
    const PipelineStep step{&variant, variant.space.default_config()};
    if (named && list.empty()) list.push_back({text_of(step), {step}, ""});
  }
  if (list.empty())
    throw UsageError(fmt::format(
        "nothing of backend {} is called '{}'{}", name_of(traits.backend), what,
        names.empty() ? "; see alsbench list variants"
                      : fmt::format("; variants of the stage: {}", fmt::join(names, ", "))));
  return first_runnable(list, shape, traits);
}

}  // namespace alsbench
