// CPU baselines: what the variants are compared with.
#include "kernels/cpu/roof.h"
#include "kernels/cpu/solve.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

// `kernel`, which takes `Params`, as a variant's run.
template <class Params, auto kernel>
void run(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  kernel(std::get<Params>(params), cpu_resources(context));
}

}  // namespace

void add_baseline_cpu(std::vector<Variant>& list) {
  list.push_back({.stage = Stage::copy,
                  .name = "memcpy",
                  .summary = "memcpy in chunks over all threads",
                  .run = run<CopyParams, copy_chunks>});
  list.push_back({.stage = Stage::gather_copy,
                  .name = "rows",
                  .summary = "copies factor rows in the order of the ratings",
                  .run = run<CopyParams, gather_rows>});
  list.push_back({.stage = Stage::spin,
                  .name = "chain",
                  .summary = "chains of dependent steps in registers: the canary of the clock",
                  .run = run<SpinParams, spin>});
  list.push_back({.stage = Stage::gemm_batched,
                  .name = "strided",
                  .summary = "OpenBLAS sgemm, an item of the batch per thread",
                  .space = {{"precision", {"fp32"}, "of the inputs"}},
                  .run = run<GemmParams, gemm_strided>});
  list.push_back({.stage = Stage::factorize_batched,
                  .name = "lu",
                  .summary = "LAPACK sgetrf of OpenBLAS, a matrix at a time",
                  .run = run<UpdateParams, factorize_lu>,
                  .destroys_matrices = true});
  list.push_back({.stage = Stage::factorize_batched,
                  .name = "cholesky",
                  .summary = "LAPACK spotrf of OpenBLAS, a matrix at a time",
                  .run = run<UpdateParams, factorize_cholesky>,
                  .destroys_matrices = true});
}

}  // namespace alsbench
