// SPDX-License-Identifier: Apache-2.0
// The knobs of conjugate gradients, which a solver and the updates that solve share: their
// parameters, the objection to them, and all of them as options or as the plan's arguments.
#pragma once

#include <optional>
#include <string>

#include "kernels/cpu/cg.h"
#include "variants/als/plan_arguments.h"
#include "variants/core/variant.h"

namespace alsbench::cg_knobs {

inline const Parameter kWarm{
    "warm", {"on", "off"}, "start from the previous solution, or from zero"};
inline const Parameter kSteps{.name = "steps",
                              .values = {6},
                              .description = "at most, the paper's f_s",
                              .open = true,
                              .whole = true};
inline const Parameter kTolerance{.name = "tolerance",
                                  .values = {0},
                                  .description = "stop when ||r|| <= tolerance ||b||",
                                  .open = true};

// Whether kernels need the code that ends before the last step.
inline bool stops_early(const Config& config) { return config.number("tolerance") != 0; }

// The plan with its arguments.
inline KernelPlan with_arguments(KernelPlan plan, const Config& config) {
  PlanArguments arguments = arguments_of(plan);
  arguments.cg_steps = config.integer("steps");
  arguments.cg_tolerance = static_cast<float>(config.number("tolerance"));
  plan.arguments = arguments;
  return plan;
}

inline CgOptions options(const Config& config) {
  return {config.is("warm", "on"), config.integer("steps"),
          static_cast<float>(config.number("tolerance"))};
}

}  // namespace alsbench::cg_knobs
