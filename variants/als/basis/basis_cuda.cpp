// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stages gram and rotate.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/basis/layout.cuh"
#include "variants/als/stages.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/gemm.h"
#endif

namespace alsbench {
namespace {

std::optional<std::string> gram_objection(const Config&, const Shape& shape, const DeviceTraits&) {
  constexpr int kMaxRank = 2048;  // 32-bit numbers of elements
  if (shape.rank <= kMaxRank) return std::nullopt;
  return fmt::format("rank {} is more than {}", shape.rank, kMaxRank);
}

std::optional<std::string> gram_mma_objection(const Config& config, const Shape& shape,
                                              const DeviceTraits& traits) {
  if (traits.architecture < 80) return "needs TF32 on tensor cores (sm_80 or newer)";
  return gram_objection(config, shape, traits);
}

// As many blocks as the device holds, and no slice of fewer rows than a few turns of the loop.
KernelPlan gram_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  constexpr int64_t kMinRows = 8 * BasisLayout::kDepth;
  const BasisLayout layout{shape.rank};
  const int64_t wanted = int64_t{config.integer("blocks")} * traits.multiprocessors;
  const int64_t slices =
      std::clamp<int64_t>(wanted / layout.pairs(), 1, std::max<int64_t>(1, shape.rows / kMinRows));
  KernelLaunch tiles;
  tiles.source = "kernels/cuda/basis/gram.cuh";
  tiles.instance = fmt::format("alsbench::gram_tiles<{}>", shape.rank);
  tiles.grid = layout.pairs() * slices;
  tiles.block = BasisLayout::kThreads;
  KernelLaunch sum = tiles;
  sum.instance = fmt::format("alsbench::gram_sum<{}>", shape.rank);
  sum.grid = int64_t{layout.pairs()} * (BasisLayout::kPairElements / BasisLayout::kSumThreads);
  sum.block = BasisLayout::kSumThreads;
  return {{tiles, sum},
          tiles.grid * BasisLayout::kPairElements * int64_t{sizeof(float)},
          static_cast<int32_t>(slices)};
}

KernelPlan gram_mma_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  KernelPlan plan = gram_plan(config, shape, traits);
  KernelLaunch& tiles = plan.launches.front();
  tiles.source = "kernels/cuda/basis/gram_mma.cuh";
  tiles.instance = fmt::format("alsbench::gram_mma_tiles<{}>", shape.rank);
  tiles.block = BasisLayout::kMmaThreads;
  return plan;
}

KernelPlan rotate_plan(const Config&, const Shape& shape, const DeviceTraits&) {
  const BasisLayout layout{shape.rank};
  KernelLaunch launch;
  launch.source = "kernels/cuda/basis/rotate.cuh";
  launch.instance = fmt::format("alsbench::rotate_tiles<{}>", shape.rank);
  launch.grid = (shape.rows + BasisLayout::kTile - 1) / BasisLayout::kTile * layout.tiles();
  launch.grid = std::max<int64_t>(1, launch.grid);
  launch.block = BasisLayout::kThreads;
  return {{launch}, 0};
}

#if ALSBENCH_WITH_CUDA
void run_gemm(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  vendor::rotate(context.cublas, params.as<RotateParams>());
}
#else
const Variant::Run run_gemm;
#endif

}  // namespace

void add_basis_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::gram,
               .name = "tiled",
               .backend = Backend::cuda,
               .summary = "a block a tile of a slice of the rows, 8 x 8 sums a thread; slices "
                          "are added in order",
               .space = {{"blocks", {8, 4, 16}, "of a multiprocessor: as many slices of the rows"}},
               .objection = gram_objection,
               .plan = gram_plan});
  catalog.add(
      {.stage = &stages::gram,
       .name = "mma",
       .backend = Backend::cuda,
       .summary = "tensor cores: a factor is two TF32 numbers, and three of their four "
                  "products are summed",
       .space = {{"blocks", {5, 10, 20}, "of a multiprocessor: as many slices of the rows"}},
       .objection = gram_mma_objection,
       .plan = gram_mma_plan,
       .multiplies = [](const Config&) { return Scalar::tf32; }});
  catalog.add({.stage = &stages::rotate,
               .name = "tiled",
               .backend = Backend::cuda,
               .summary = "a block 64 rows and 64 columns, 8 x 8 sums a thread",
               .plan = rotate_plan});
  catalog.add({.stage = &stages::rotate,
               .name = "gemm",
               .backend = Backend::cuda,
               .summary = "cuBLAS sgemm",
               .run = run_gemm});
}

}  // namespace alsbench
