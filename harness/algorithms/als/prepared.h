// SPDX-License-Identifier: Apache-2.0
// Executables of the stages that a training runs in addition to its pipelines.
#pragma once

#include <memory>
#include <string_view>

#include "harness/problem/device_problem.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {

// The stage's variant of that name at its default configuration, for a side of the problem.
inline std::unique_ptr<Executable> prepared(const DeviceProblem& problem, Stage stage,
                                            std::string_view name, Side side) {
  Device& device = problem.device();
  const Variant& variant = variant_named(stage, name, device.traits().backend);
  return device.prepare(variant, variant.space.default_config(), problem.shape(side));
}

// The Gram matrix of a side's factors: on tensor cores where there are some.
inline std::unique_ptr<Executable> prepared_gram(const DeviceProblem& problem, Side side) {
  const DeviceTraits& traits = problem.device().traits();
  const bool tensor_cores = traits.backend == Backend::cuda && traits.architecture >= 80;
  return prepared(problem, &stages::gram, tensor_cores ? "mma" : "tiled", side);
}

}  // namespace alsbench
