// SPDX-License-Identifier: Apache-2.0
#include "variants/als/stages.h"

#include <cmath>

#include "variants/als/parameters.h"
#include "variants/als/plan_arguments.h"
#include "variants/families.h"

namespace alsbench {
namespace {

struct Sizes {
  double rows, cols, nnz, f;
  double factor_bytes, matrix_bytes;  // of one element
  double copy_bytes;                  // of an element that an update writes next to the float
};

Sizes sizes_of(const Shape& shape, const WorkOptions& options) {
  const auto factor_bytes = static_cast<double>(size_of(options.storage.factors));
  return {static_cast<double>(shape.rows),
          static_cast<double>(shape.cols),
          static_cast<double>(shape.nnz),
          static_cast<double>(shape.rank),
          factor_bytes,
          static_cast<double>(size_of(options.storage.matrices)),
          options.storage.factors == Scalar::fp32 ? 0.0 : factor_bytes};
}

double gathered_bytes(const Sizes& s) { return s.nnz * s.f * s.factor_bytes; }

// A GPU reads a row of factors by whole sectors of 32 bytes, its padding among them. The pitch is a
// multiple of 16 bytes, so every row touches as many.
double with_sectors(const Sizes& s, double gathers) {
  constexpr double kSector = 32;
  const double pitch = factor_pitch(static_cast<int32_t>(s.f)) * s.factor_bytes;
  return gathers * std::ceil(pitch / kSector) * kSector;
}

// Counts L2's part of work that gathers `gathers` rows, everything else once.
void add_gathered_traffic(Work& work, const Sizes& s, double gathers) {
  work.table_bytes = s.cols * s.f * s.factor_bytes;
  work.l2_bytes = work.compulsory_bytes - work.table_bytes + with_sectors(s, gathers);
}

Work hermitian_work(const Sizes& s) {
  const double matrices = s.rows * s.f * s.f * s.matrix_bytes;
  const double structure = 4 * s.nnz + 8 * s.rows;
  return {s.nnz * s.f * (s.f + 1), 2 * s.nnz * s.f * s.f, gathered_bytes(s) + structure + matrices,
          s.cols * s.f * s.factor_bytes + structure + matrices, gathered_bytes(s)};
}

Work bias_work(const Sizes& s) {
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double output = 4 * s.rows * s.f;
  return {2 * s.nnz * s.f, 2 * s.nnz * s.f, gathered_bytes(s) + structure + output,
          s.cols * s.f * s.factor_bytes + structure + output, gathered_bytes(s)};
}

// Options of a configuration that determine the work of a solver.
struct Solver {
  double steps = 0;   // of CG; 0: a direct solver
  bool warm = false;  // CG begins with the solution before, which costs a product with A
};

Solver solver_of(const WorkOptions& options) {
  const auto cg = parameters::cg_options(options.config);
  if (!cg) return {};
  return {options.solver_steps.value_or(cg->steps), cg->warm_start};
}

// CG multiplies by A once a step and, where it does not begin with zero, once for the first
// residual.
double products_of(const Solver& solver) { return solver.steps + (solver.warm ? 1 : 0); }

// A direct solver counts as Cholesky.
Work solve_work(const Sizes& s, const Solver& solver) {
  const double cg_steps = solver.steps;
  const double matrix = s.f * s.f * s.matrix_bytes;
  const double vectors = 3 * 4 * s.f;  // b, x in, x out
  const double products = cg_steps > 0 ? products_of(solver) : 1;
  const double flops = cg_steps > 0 ? products * 2 * s.f * s.f + cg_steps * 10 * s.f
                                    : s.f * s.f * s.f / 3 + 2 * s.f * s.f;
  return {s.rows * flops, 0, s.rows * (products * matrix + vectors), s.rows * (matrix + vectors)};
}

// CG that multiplies by the factor rows: a product takes 4 f operations a rating. The first
// residual is a product where CG starts warm, else b takes 2 f. The last step needs p . A p alone:
// 2 f.
double matrix_free_flops(const Sizes& s, const Solver& solver) {
  const double start = solver.warm ? 4 : 2, steps = std::max(0.0, 4 * solver.steps - 2);
  return s.nnz * s.f * (start + steps) + s.rows * solver.steps * 10 * s.f;
}

// The whole half-iteration without A_u in memory: the arithmetic of its parts, the bytes of its
// ends.
Work update_work(const Sizes& s, const Solver& solver, Products products) {
  Work work;
  if (products == Products::matrix) {
    work = hermitian_work(s);
    work += bias_work(s);
    work += solve_work(s, solver);
  } else {
    work.useful_flops = matrix_free_flops(s, solver);
  }
  const double passes = products == Products::gathered_rows ? 1 + solver.steps : 1;
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double solution = (2 * 4 + s.copy_bytes) * s.rows * s.f;
  work.gathered_bytes = passes * gathered_bytes(s);
  work.logical_bytes = work.gathered_bytes + structure + solution;
  work.compulsory_bytes = s.cols * s.f * s.factor_bytes + structure + solution;
  return work;
}

Work normal_equations_work(const Sizes& s) {
  Work work = hermitian_work(s);
  work += bias_work(s);
  work.logical_bytes -= s.nnz * (s.f * s.factor_bytes + 4) + 8 * s.rows;  // one pass, not two
  work.gathered_bytes -= gathered_bytes(s);
  work.compulsory_bytes -= s.cols * s.f * s.factor_bytes + 4 * s.nnz + 8 * s.rows;
  return work;
}

// `count` as a row of the table has it: of ratings that are gone through once.
template <Work (*count)(const Sizes&)>
Work work(const Shape& shape, const WorkOptions& options) {
  const Sizes sizes = sizes_of(shape, options);
  Work work = count(sizes);
  add_gathered_traffic(work, sizes, sizes.nnz);
  return work;
}

// A_u passes L2 as often as the variant reads it from there.
Work solver_work(const Shape& shape, const WorkOptions& options) {
  Work work = solve_work(sizes_of(shape, options), solver_of(options));
  work.l2_bytes =
      options.config.get_or("cache", "none") == "none" ? work.logical_bytes : work.compulsory_bytes;
  return work;
}

Work whole_work(const Shape& shape, const WorkOptions& options) {
  const Sizes sizes = sizes_of(shape, options);
  Work work = update_work(sizes, solver_of(options), options.products);
  add_gathered_traffic(work, sizes, work.gathered_bytes / (sizes.f * sizes.factor_bytes));
  return work;
}

// On a chip A_u is read several times as fast as from memory.
constexpr double kOnChip = 0.125;

double solver_traffic(const Shape& shape, const WorkOptions& options) {
  const Work work = solver_work(shape, options);
  if (options.config.get_or("cache", "none") == "none") return work.logical_bytes;
  return work.compulsory_bytes + kOnChip * work.logical_bytes;
}

// A_u is no operand of an update, but is read on the chip.
double whole_traffic(const Shape& shape, const WorkOptions& options) {
  return whole_work(shape, options).logical_bytes +
         kOnChip * solver_work(shape, options).logical_bytes;
}

void complete(StageParams& stage_params, const KernelPlan& plan, void* workspace) {
  UpdateParams params = stage_params.as<UpdateParams>();
  params.workspace = workspace;
  params.plan = arguments_of(plan);
  stage_params = params;
}

}  // namespace

// Of stages that write A_u, and of those that write a row of factors alone.
const std::vector<Bound> kForming{Bound::arithmetic, Bound::memory, Bound::gather};
const std::vector<Bound> kReading{Bound::arithmetic, Bound::reading, Bound::gather};

namespace stages {

const StageInfo hermitian{.name = "hermitian",
                          .work = work<hermitian_work>,
                          .bounds = kForming,
                          .has_matrices = true,
                          .complete = complete};
const StageInfo bias{
    .name = "bias", .work = work<bias_work>, .bounds = kReading, .complete = complete};
const StageInfo normal_equations{.name = "normal_equations",
                                 .work = work<normal_equations_work>,
                                 .bounds = kForming,
                                 .has_matrices = true,
                                 .complete = complete};
const StageInfo solve{.name = "solve",
                      .work = solver_work,
                      .expected_traffic = solver_traffic,
                      .bounds = {Bound::arithmetic, Bound::reading},
                      .has_matrices = true,
                      .complete = complete};
const StageInfo update{.name = "update",
                       .work = whole_work,
                       .expected_traffic = whole_traffic,
                       .bounds = kReading,
                       .fused = true,
                       .complete = complete};

}  // namespace stages

double cg_products(const WorkOptions& options) { return products_of(solver_of(options)); }

Work factorization_work(const Shape& shape, const WorkOptions& options) {
  return solve_work(sizes_of(shape, options), Solver());
}

void add_als_stages(Catalog& catalog) {
  for (const Stage stage :
       {&stages::hermitian, &stages::bias, &stages::normal_equations, &stages::solve,
        &stages::update, &stages::gram, &stages::rotate, &stages::subsample, &stages::blend,
        &stages::centre, &stages::level_columns})
    catalog.add(stage);
}

}  // namespace alsbench
