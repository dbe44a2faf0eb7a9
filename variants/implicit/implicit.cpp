// SPDX-License-Identifier: Apache-2.0
#include "variants/implicit/implicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/byte_factors.h"
#include "kernels/shared/params/implicit.h"
#include "variants/als/plan_arguments.h"
#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {
namespace {

struct Sizes {
  double rows, cols, nnz, f;
};

Sizes sizes_of(const Shape& shape) {
  return {static_cast<double>(shape.rows), static_cast<double>(shape.cols),
          static_cast<double>(shape.nnz), static_cast<double>(shape.rank)};
}

// The lower triangle of the weighted sums, the Gram matrix added to each row's, and b_u.
Work equations_work(const Shape& shape, const WorkOptions&) {
  const Sizes s = sizes_of(shape);
  const double outputs = 4 * s.rows * (s.f * s.f + s.f);
  const double structure = 8 * s.nnz + 8 * s.rows + 4 * s.f * s.f;
  return {s.nnz * s.f * (s.f + 1) + 2 * s.nnz * s.f + s.rows * s.f * s.f, 0,
          4 * s.nnz * s.f + structure + outputs, 4 * s.cols * s.f + structure + outputs,
          4 * s.nnz * s.f};
}

// Beyond an update of explicit ALS: the Gram matrix, added to each row's sums, or multiplied by in
// each product.
Work update_work(const Shape& shape, const WorkOptions& options) {
  const Sizes s = sizes_of(shape);
  Work work = stages::update.work(shape, options);
  const bool forms = options.products == Products::matrix;
  work.paper_flops = 0;
  work.useful_flops += s.rows * s.f * s.f * (forms ? 1 : 2 * cg_products(options));
  work.logical_bytes += 4 * s.f * s.f;
  work.compulsory_bytes += 4 * s.f * s.f;
  return work;
}

// A dot product a rating, and ten operations on it.
Work loss_work(const Shape& shape, const WorkOptions&) {
  const Sizes s = sizes_of(shape);
  return {s.nnz * (2 * s.f + 10), 0, s.nnz * (8 + 8 * s.f), 8 * s.nnz + 4 * s.f * (s.rows + s.cols),
          4 * s.nnz * s.f};
}

// A copy of the factors for each distinct rating is made of more rows than it is read for, where
// ratings are few.
bool reads_copies_often(const Shape& shape) {
  return shape.nnz >= shape.cols * std::max(1, shape.distinct_ratings);
}

std::vector<RuledPipeline> by_rule(const Shape& shape, const DeviceTraits& traits) {
  if (traits.backend == Backend::cuda) return {{"fused"}, {"cg"}};
  constexpr int kMaxMeasuredRank = 200;  // of tiles
  if (traits.tiles && shape.rank <= kMaxMeasuredRank && reads_copies_often(shape))
    return {{"tiles"}, {"matrix-free"}, {"cg"}};
  return {{"matrix-free"}, {"cg"}};
}

static_assert(offsetof(ImplicitParams, update) == 0);

// A plan with the Gram matrix in tiles has it at the end of its workspace.
void complete(StageParams& stage_params, const KernelPlan& plan, void* workspace) {
  ImplicitParams params = stage_params.as<ImplicitParams>();
  params.update.workspace = workspace;
  params.update.plan = arguments_of(plan);
  const int64_t tiles_at = plan.workspace_bytes - mma_slot_bytes(params.update.factors.rank);
  if (tiles_at >= 0) params.gram_tiles = static_cast<char*>(workspace) + tiles_at;
  stage_params = params;
}

const std::vector<Bound> kForming{Bound::arithmetic, Bound::memory, Bound::gather};
const std::vector<Bound> kReading{Bound::arithmetic, Bound::reading, Bound::gather};

}  // namespace

const StageInfo stages::implicit_equations{.name = "implicit_equations",
                                           .work = equations_work,
                                           .bounds = kForming,
                                           .has_matrices = true,
                                           .complete = complete};
const StageInfo stages::implicit_update{.name = "implicit_update",
                                        .work = update_work,
                                        .bounds = kReading,
                                        .fused = true,
                                        .complete = complete};
const StageInfo stages::implicit_loss{
    .name = "implicit_loss", .work = loss_work, .bounds = kReading};

const PipelineGrammar& implicit_pipelines() {
  static const PipelineGrammar grammar{
      .forms = {{&stages::implicit_update}, {&stages::implicit_equations, &stages::solve}},
      .presets = {{"exact", Backend::cuda, "implicit_equations:tiled/solve:packed_cholesky",
                   "implicit ALS in FP32 with a direct solver"},
                  {"exact-library", Backend::cuda, "implicit_equations:tiled/solve:cholesky",
                   "the same with cuSOLVER, at every rank on every device"},
                  {"cg", Backend::cuda, "implicit_equations:tiled/solve:cg:steps=3",
                   "implicit ALS with three steps of CG from the solution before"},
                  {"fused", Backend::cuda, "implicit_update:fused:l1=off,steps=3",
                   "a half-iteration in one kernel on tensor cores, A never in memory"},
                  {"int8", Backend::cuda,
                   "implicit_update:fused:l1=off,factors=int8,matrix=fp16,steps=3",
                   "the same of factors as signed bytes: at most 32 distinct ratings"},
                  {"exact", Backend::cpu, "implicit_equations:blocked/solve:blocked_cholesky",
                   "implicit ALS in FP32 with a direct solver"},
                  {"exact-library", Backend::cpu, "implicit_equations:blocked/solve:cholesky",
                   "the same with LAPACK"},
                  {"cg", Backend::cpu, "implicit_equations:blocked/solve:cg:steps=3",
                   "implicit ALS with three steps of CG from the solution before"},
                  {"matrix-free", Backend::cpu, "implicit_update:matrix_free:steps=3",
                   "the same without A in memory, on factor rows gathered once"},
                  {"tiles", Backend::cpu, "implicit_update:tiles:steps=3",
                   "the same of signed bytes on AMX tiles: at most 32 distinct ratings"}},
      .by_rule = by_rule};
  return grammar;
}

std::optional<std::string> root_weights_objection(const Shape& shape, Scalar factors) {
  const bool bytes = factors == Scalar::int8;
  if (shape.negative_weights)
    return fmt::format(
        "{} are multiplied by the roots of weights, and confidence=direct has negative ones; use "
        "another pipeline",
        bytes ? "signed bytes" : fmt::format("factors in {}", name_of(factors)));
  if (!bytes || shape.distinct_ratings <= Int8Weights::kMaxValue) return std::nullopt;
  return fmt::format(
      "signed bytes store the factors once for each distinct rating, and the set has more than {}; "
      "use another pipeline",
      Int8Weights::kMaxValue);
}

void add_implicit(Catalog& catalog) {
  for (const Stage stage :
       {&stages::implicit_equations, &stages::implicit_update, &stages::implicit_loss})
    catalog.add(stage);
  catalog.add(&implicit_pipelines());
}

}  // namespace alsbench
