// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage bias: ours, and cuSPARSE's SpMM.
#include <fmt/format.h>

#include <any>
#include <memory>

#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/shared/params/als.h"
#include "kernels/vendor/memory.h"
#include "kernels/vendor/spmm.h"
#endif

namespace alsbench {
namespace {

Variant rows() {
  return {.stage = &stages::bias,
          .name = "rows",
          .backend = Backend::cuda,
          .summary = "a block a row, coalesced reads of factor rows, fixed order of summation",
          .space = {{"threads", {128, 64, 32, 256}, "threads of a block"},
                    parameters::kFactorReads,
                    parameters::factors()},
          .plan = [](const Config& config, const Shape& shape, const DeviceTraits&) {
            KernelLaunch launch;
            launch.source = "kernels/cuda/bias/rows.cuh";
            launch.instance = fmt::format("alsbench::bias_rows<{}, {}, {}, {}>", shape.rank,
                                          config.get("threads"), config.is("l1", "on"),
                                          element_type(parameters::factors_type(config)));
            launch.grid = shape.launch_rows();
            launch.block = config.integer("threads");
            return KernelPlan{{launch}, 0};
          }};
}

#if ALSBENCH_WITH_CUDA

constexpr int kWorkspaceSlot = 0, kOffsetsSlot = 1;

vendor::SpmmAlgorithm algorithm_of(const Config& config) {
  if (config.is("algorithm", "csr1")) return vendor::SpmmAlgorithm::csr1;
  if (config.is("algorithm", "csr2")) return vendor::SpmmAlgorithm::csr2;
  if (config.is("algorithm", "csr3")) return vendor::SpmmAlgorithm::csr3;
  return vendor::SpmmAlgorithm::standard;
}

// Ratings that are the same in each run, as those of a training are, are analysed in the first one:
// csr1 and csr3 gain by it. Batches share the array of their offsets, and are not.
void run_spmm(const Config& config, const Shape&, const StageParams& params,
              const RunContext& context) {
  const auto& p = params.as<UpdateParams>();
  vendor::SpmmProblem problem;
  problem.rows = p.row_count;
  problem.cols = p.ratings.cols;
  problem.factors = static_cast<const float*>(p.factors.data);
  problem.product = p.bias;
  problem.width = p.solution.pitch;  // the padding of the factors makes that of b zero
  problem.algorithm = algorithm_of(config);
  vendor::RebasedRows batch{0, p.ratings.nnz};
  problem.offsets = p.ratings.offsets32;
  if (p.row_count != p.ratings.rows) {
    auto* offsets = static_cast<int32_t*>(
        context.scratch(kOffsetsSlot, (p.row_count + 1) * static_cast<int64_t>(sizeof(int32_t))));
    batch = vendor::rebase_offsets(context.stream, offsets, p.ratings.offsets + p.first_row,
                                   p.row_count);
    problem.offsets = offsets;
  }
  problem.nnz = batch.nnz;
  problem.indices = p.ratings.indices + batch.begin;
  problem.values = p.ratings.values + batch.begin;
  using Kept = std::shared_ptr<const vendor::Spmm>;
  auto* kept = std::any_cast<Kept>(context.memo.get());
  const bool whole = p.row_count == p.ratings.rows, known = whole && kept && (*kept)->fits(problem);
  const Kept spmm = known ? *kept : std::make_shared<const vendor::Spmm>(problem);
  void* workspace = context.scratch(kWorkspaceSlot, spmm->workspace_bytes(context.cusparse));
  if (whole && !known) {
    spmm->analyse(context.cusparse, workspace);
    *context.memo = spmm;
  }
  spmm->multiply(context.cusparse, problem.factors, problem.product, workspace);
}

#else

const Variant::Run run_spmm;

#endif

Variant spmm() {
  return {
      .stage = &stages::bias,
      .name = "spmm",
      .backend = Backend::cuda,
      .summary = "cuSPARSE SpMM of the ratings with the factors",
      .space = {{"algorithm", {"csr2", "default", "csr1", "csr3"}, "cuSPARSE's algorithm for CSR"}},
      .objection = [](const Config&, const Shape& shape,
                      const DeviceTraits&) -> std::optional<std::string> {
        if (shape.nnz <= INT32_MAX) return std::nullopt;
        return fmt::format("{} ratings exceed the 32-bit offsets of the library", shape.nnz);
      },
      .run = run_spmm,
      .nondeterminism = "sums of cuSPARSE differ from run to run, whatever the algorithm"};
}

}  // namespace

void add_bias_cuda(Catalog& catalog) {
  catalog.add(rows());
  catalog.add(spmm());
}

}  // namespace alsbench
