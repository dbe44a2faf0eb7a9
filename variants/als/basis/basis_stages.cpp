// SPDX-License-Identifier: Apache-2.0
// The stages that turn factors into another basis.
#include "kernels/shared/params/basis.h"
#include "variants/als/stages.h"
#include "variants/core/kernel_plan.h"

namespace alsbench {
namespace {

// The lower triangle, multiplied and added.
Work gram_work(const Shape& shape, const WorkOptions&) {
  const auto rows = static_cast<double>(shape.rows), f = static_cast<double>(shape.rank);
  const double bytes = rows * (4 * f + 8) + 4 * f * f;
  return {rows * f * (f + 1), 0, bytes, bytes};
}

Work rotate_work(const Shape& shape, const WorkOptions&) {
  const auto rows = static_cast<double>(shape.rows), f = static_cast<double>(shape.rank);
  const double bytes = 8 * rows * f + 4 * f * f;
  return {2 * rows * f * f, 0, bytes, bytes};
}

// The plan's argument is the number of slices.
void complete_gram(StageParams& stage_params, const KernelPlan& plan, void* workspace) {
  GramParams params = stage_params.as<GramParams>();
  params.workspace = workspace;
  if (plan.arguments.has_value()) params.slices = std::any_cast<int32_t>(plan.arguments);
  stage_params = params;
}

}  // namespace

const StageInfo stages::gram{.name = "gram",
                             .work = gram_work,
                             .bounds = {Bound::arithmetic, Bound::reading},
                             .complete = complete_gram};
const StageInfo stages::rotate{
    .name = "rotate", .work = rotate_work, .bounds = {Bound::arithmetic, Bound::memory}};

}  // namespace alsbench
