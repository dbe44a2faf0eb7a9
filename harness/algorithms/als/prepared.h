// SPDX-License-Identifier: Apache-2.0
// Executables of the stages that a training runs beside its pipelines.
#pragma once

#include <memory>
#include <string_view>

#include "harness/problem/device_problem.h"
#include "variants/catalog.h"

namespace alsbench {

// The stage's variant of that name at its default configuration, for a side of the problem.
inline std::unique_ptr<Executable> prepared(const DeviceProblem& problem, Stage stage,
                                            std::string_view name, Side side) {
  Device& device = problem.device();
  const Variant& variant = variant_named(stage, name, device.traits().backend);
  return device.prepare(variant, variant.space.default_config(), problem.shape(side));
}

}  // namespace alsbench
