// SPDX-License-Identifier: Apache-2.0
// The ceiling factorize_batched: the factorisation of A_u by libraries, without the solution.
#include "kernels/cpu/solve.h"
#include "kernels/shared/params/als.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/batched_solvers.h"
#include "variants/core/pointer_array.h"
#endif

namespace alsbench {
namespace {

const StageInfo kFactorize{
    .name = "factorize_batched", .work = factorization_work, .ceiling = true};

#if ALSBENCH_WITH_CUDA

constexpr int kInputSlot = 0, kInfoSlot = 1;

vendor::BatchedSystems matrices_of(const StageParams& params, const RunContext& context) {
  const auto& p = params.as<UpdateParams>();
  const int64_t rank = p.solution.rank;
  vendor::BatchedSystems systems;
  systems.rank = p.solution.rank;
  systems.batch = static_cast<int32_t>(p.row_count);
  systems.matrices = reinterpret_cast<float**>(
      pointer_array(context, kInputSlot, p.matrices, 4 * rank * rank, p.row_count));
  systems.info = p.status != nullptr
                     ? p.status
                     : static_cast<int32_t*>(context.scratch(kInfoSlot, p.row_count * int64_t{4}));
  return systems;
}

void run_factorize_lu(const Config&, const Shape&, const StageParams& params,
                      const RunContext& context) {
  vendor::lu_factorize(context.cublas, matrices_of(params, context));
}

void run_factorize_cholesky(const Config&, const Shape&, const StageParams& params,
                            const RunContext& context) {
  vendor::cholesky_factorize(context.cusolver, matrices_of(params, context));
}

#else

const Variant::Run run_factorize_lu, run_factorize_cholesky;

#endif

}  // namespace

void add_factorize_batched(Catalog& catalog) {
  catalog.add(&kFactorize);
  catalog.add({.stage = &kFactorize,
               .name = "lu",
               .summary = "LAPACK sgetrf of OpenBLAS, a matrix at a time",
               .run = run_on_cpu<UpdateParams, factorize_lu>,
               .destroys_matrices = true});
  catalog.add({.stage = &kFactorize,
               .name = "cholesky",
               .summary = "LAPACK spotrf of OpenBLAS, a matrix at a time",
               .run = run_on_cpu<UpdateParams, factorize_cholesky>,
               .destroys_matrices = true});
  catalog.add({.stage = &kFactorize,
               .name = "lu",
               .backend = Backend::cuda,
               .summary = "cuBLAS getrfBatched, without pivoting",
               .run = run_factorize_lu,
               .destroys_matrices = true});
  catalog.add({.stage = &kFactorize,
               .name = "cholesky",
               .backend = Backend::cuda,
               .summary = "cuSOLVER potrfBatched",
               .run = run_factorize_cholesky,
               .destroys_matrices = true});
}

}  // namespace alsbench
