// SPDX-License-Identifier: Apache-2.0
#include "variants/als/stages.h"

#include "variants/als/plan_arguments.h"
#include "variants/families.h"

namespace alsbench {
namespace {

struct Sizes {
  double rows, cols, nnz, f;
  double factor_bytes, matrix_bytes;  // of one element
  double copy_bytes;                  // of an element that an update writes beside the float
};

Sizes sizes_of(const Shape& shape, const WorkOptions& options) {
  return {static_cast<double>(shape.rows),
          static_cast<double>(shape.cols),
          static_cast<double>(shape.nnz),
          static_cast<double>(shape.rank),
          static_cast<double>(size_of(options.factors)),
          static_cast<double>(size_of(options.matrices)),
          options.factors == Scalar::fp32 ? 0.0 : static_cast<double>(size_of(options.factors))};
}

Work hermitian_work(const Sizes& s) {
  const double matrices = s.rows * s.f * s.f * s.matrix_bytes;
  const double structure = 4 * s.nnz + 8 * s.rows;
  return {s.nnz * s.f * (s.f + 1), 2 * s.nnz * s.f * s.f,
          s.nnz * s.f * s.factor_bytes + structure + matrices,
          s.cols * s.f * s.factor_bytes + structure + matrices};
}

Work bias_work(const Sizes& s) {
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double output = 4 * s.rows * s.f;
  return {2 * s.nnz * s.f, 2 * s.nnz * s.f, s.nnz * s.f * s.factor_bytes + structure + output,
          s.cols * s.f * s.factor_bytes + structure + output};
}

// CG multiplies by A once a step and, where it does not begin with zero, once for the first
// residual; a direct solver counts as Cholesky.
Work solve_work(const Sizes& s, double cg_steps, bool warm) {
  const double matrix = s.f * s.f * s.matrix_bytes;
  const double vectors = 3 * 4 * s.f;  // b, x in, x out
  const double products = cg_steps > 0 ? cg_steps + (warm ? 1 : 0) : 1;
  const double flops = cg_steps > 0 ? products * 2 * s.f * s.f + cg_steps * 10 * s.f
                                    : s.f * s.f * s.f / 3 + 2 * s.f * s.f;
  return {s.rows * flops, 0, s.rows * (products * matrix + vectors), s.rows * (matrix + vectors)};
}

// The whole half-iteration without A_u in memory: the arithmetic of its parts, the bytes of its
// ends.
Work update_work(const Sizes& s, double cg_steps, bool warm) {
  Work work = hermitian_work(s);
  work += bias_work(s);
  work += solve_work(s, cg_steps, warm);
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double solution = (2 * 4 + s.copy_bytes) * s.rows * s.f;
  work.logical_bytes = s.nnz * s.f * s.factor_bytes + structure + solution;
  work.compulsory_bytes = s.cols * s.f * s.factor_bytes + structure + solution;
  return work;
}

Work normal_equations_work(const Sizes& s) {
  Work work = hermitian_work(s);
  work += bias_work(s);
  work.logical_bytes -= s.nnz * (s.f * s.factor_bytes + 4) + 8 * s.rows;  // one pass, not two
  work.compulsory_bytes -= s.cols * s.f * s.factor_bytes + 4 * s.nnz + 8 * s.rows;
  return work;
}

// `count` as a row of the table has it.
template <Work (*count)(const Sizes&)>
Work work(const Shape& shape, const WorkOptions& options) {
  return count(sizes_of(shape, options));
}

Work solver_work(const Shape& shape, const WorkOptions& options) {
  return solve_work(sizes_of(shape, options), options.cg_steps, options.warm);
}

Work whole_work(const Shape& shape, const WorkOptions& options) {
  return update_work(sizes_of(shape, options), options.cg_steps, options.warm);
}

void complete(StageParams& stage_params, const KernelPlan& plan, void* workspace) {
  UpdateParams params = stage_params.as<UpdateParams>();
  params.workspace = workspace;
  params.plan = arguments_of(plan);
  stage_params = params;
}

}  // namespace

namespace stages {

const StageInfo hermitian{.name = "hermitian", .work = work<hermitian_work>, .complete = complete};
const StageInfo bias{.name = "bias", .work = work<bias_work>, .complete = complete};
const StageInfo normal_equations{
    .name = "normal_equations", .work = work<normal_equations_work>, .complete = complete};
const StageInfo solve{.name = "solve", .work = solver_work, .complete = complete};
const StageInfo update{.name = "update", .work = whole_work, .complete = complete};

}  // namespace stages

Work factorization_work(const Shape& shape, const WorkOptions& options) {
  return solve_work(sizes_of(shape, options), 0, false);
}

void add_als_stages(Catalog& catalog) {
  for (const Stage stage : {&stages::hermitian, &stages::bias, &stages::normal_equations,
                            &stages::solve, &stages::update})
    catalog.add(stage);
}

}  // namespace alsbench
