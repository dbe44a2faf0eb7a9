// SPDX-License-Identifier: Apache-2.0
// Arguments from a plan of the stages of a half-iteration to its kernels, in addition to their
// operands.
#pragma once

#include "kernels/shared/params/als.h"
#include "variants/core/kernel_plan.h"

namespace alsbench {

// Zeros where the plan has none.
inline PlanArguments arguments_of(const KernelPlan& plan) {
  return plan.arguments.has_value() ? std::any_cast<const PlanArguments&>(plan.arguments)
                                    : PlanArguments{};
}

}  // namespace alsbench
