// SPDX-License-Identifier: Apache-2.0
#include "variants/recommend/stages.h"

#include "kernels/shared/params/recommend.h"
#include "variants/families.h"

namespace alsbench {
namespace {

// Every score once; selecting is no arithmetic.
Work top_k_work(const Shape& shape, const WorkOptions&) {
  const auto rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols);
  const auto nnz = static_cast<double>(shape.nnz), f = static_cast<double>(shape.rank);
  const double flops = 2 * f * rows * cols;
  const double bytes = 4 * f * (rows + cols) + 8 * rows + 4 * nnz + 8 * kMeasuredTopK * rows;
  return {flops, 0, bytes + 4 * f * rows * cols, bytes};
}

void complete(StageParams& stage_params, const KernelPlan&, void* workspace) {
  TopKParams params = stage_params.as<TopKParams>();
  params.workspace = workspace;
  stage_params = params;
}

}  // namespace

const StageInfo stages::top_k{
    .name = "top_k", .work = top_k_work, .bounds = {Bound::arithmetic}, .complete = complete};

void add_recommend_stages(Catalog& catalog) { catalog.add(&stages::top_k); }

}  // namespace alsbench
