#include "harness/tune/database/safe_default.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/tune/database/tuned_entry.h"
#include "variants/catalog.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

// The first point of a variant that can run and has those storage types; its default is the first.
std::optional<PipelineStep> first_runnable(const Variant& variant, const PipelineStep& like,
                                           const Shape& shape, const DeviceTraits& traits) {
  std::optional<PipelineStep> found;
  variant.space.for_each([&](const Config& config) {
    if (found || matrices_storage(config) != matrices_storage(like.config) ||
        factors_storage(config) != factors_storage(like.config))
      return;
    if (!objection_of(variant, config, shape, traits)) found = PipelineStep{&variant, config};
  });
  return found;
}

PipelineStep default_step(const std::string& what, Backend backend) {
  const size_t slash = what.find('/');
  const auto stage = stage_named(what.substr(0, slash));
  for (const PipelineStep& step : default_pipeline(backend).steps)
    if (stage == step.variant->stage && slash == std::string::npos) return step;
  std::vector<std::string> names;
  for (const Variant& variant : catalog()) {
    if (!stage || variant.stage != *stage || variant.backend != backend) continue;
    if (slash == std::string::npos ? !variant.hidden : variant.name == what.substr(slash + 1))
      return {&variant, variant.space.default_config()};
    names.push_back(variant.name);
  }
  throw UsageError(fmt::format(
      "nothing of backend {} is called '{}'{}", name_of(backend), what,
      names.empty() ? "; see alsbench list variants"
                    : fmt::format("; variants of the stage: {}", fmt::join(names, ", "))));
}

}  // namespace

std::optional<std::string> objection_of(const std::vector<PipelineStep>& steps, const Shape& shape,
                                        const DeviceTraits& traits) {
  for (const PipelineStep& step : steps)
    if (const auto objection = objection_of(*step.variant, step.config, shape, traits))
      return fmt::format("{}: {}", text_of(step), *objection);
  return std::nullopt;
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

std::vector<PipelineStep> safe_default(const std::string& what, const Shape& shape,
                                       const DeviceTraits& traits) {
  std::vector<PipelineStep> steps = what == kWholePipeline
                                        ? default_pipeline(traits.backend).steps
                                        : std::vector{default_step(what, traits.backend)};
  for (PipelineStep& step : steps)
    if (objection_of(*step.variant, step.config, shape, traits))
      if (const auto other = runnable_step(step, shape, traits)) step = *other;
  return steps;
}

}  // namespace alsbench
