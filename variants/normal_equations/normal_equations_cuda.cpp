// The CUDA variants of the stage normal_equations: A_u and b_u in one pass on tensor cores (mma).
#include <fmt/format.h>

#include "kernels/cuda/normal_equations/mma_layout.cuh"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr int kPlanThreads = 256;

MmaLayout layout_of(const Config& config, const Shape& shape) {
  return {shape.rank, config.integer("stages"), config.integer("warps"),
          config.is("output", "fp16") ? 2 : 4};
}

MmaWorkspace workspace_of(const Config& config, const Shape& shape) {
  return {shape.nnz, config.integer("chunk")};
}

std::optional<std::string> mma_objection(const Config& config, const Shape& shape,
                                         const DeviceTraits& traits) {
  if (traits.architecture < 80)
    return "needs asynchronous copies and mma.m16n8k16 (sm_80 or newer)";
  const MmaLayout layout = layout_of(config, shape);
  if (layout.tiles() > MmaLayout::kMostTiles)
    return fmt::format(
        "a warp's registers hold {} tiles of A_u, rank {} has {}; use rank 102 or less",
        MmaLayout::kMostTiles, shape.rank, layout.tiles());
  if (layout.registers() * 32 * layout.warps > traits.registers_per_multiprocessor)
    return fmt::format("{} warps of {} registers a thread are more than a multiprocessor has",
                       layout.warps, layout.registers());
  if (layout.shared_bytes() > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}",
                       layout.shared_bytes(), traits.shared_bytes_per_block);
  const int64_t bytes = workspace_of(config, shape).bytes(layout.tiles());
  if (traits.memory_bytes > 0 && bytes > traits.memory_bytes / 4)
    return fmt::format(
        "the pieces of long rows may need {} bytes, more than a quarter of the device's memory; "
        "use a larger chunk",
        bytes);
  if (shape.launch_rows() + workspace_of(config, shape).most_pieces() > INT32_MAX)
    return "more rows and pieces than 32 bits count; use smaller batches";
  return std::nullopt;
}

KernelPlan mma_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = layout_of(config, shape);
  const int chunk = config.integer("chunk");
  const int blocks = layout.blocks_per_multiprocessor(traits.shared_bytes_per_multiprocessor);
  const std::string output = config.is("output", "fp16") ? "alsbench::Half" : "float";
  const std::string phase = "alsbench::MmaPhase::" + config.get("phase");
  const std::string folder = "kernels/cuda/normal_equations/";

  KernelLaunch plan;
  plan.source = folder + "mma_plan.cuh";
  plan.instance = fmt::format("alsbench::mma_plan_rows<{}, {}>", chunk, kPlanThreads);
  plan.grid = int64_t{8} * traits.multiprocessors;
  plan.block = kPlanThreads;
  plan.clear_workspace_bytes = sizeof(MmaCounters);

  KernelLaunch multiply;
  multiply.source = folder + "mma.cuh";
  multiply.instance =
      fmt::format("alsbench::mma_multiply<{}, {}, {}, {}, {}, {}, {}, {}>", shape.rank,
                  layout.stages, layout.warps, blocks, chunk, config.is("l1", "on"), phase, output);
  multiply.grid = int64_t{blocks} * traits.multiprocessors;
  multiply.block = 32 * layout.warps;
  multiply.shared_bytes = layout.shared_bytes();

  KernelLaunch sum = multiply;
  sum.source = folder + "mma_sum.cuh";
  sum.instance = fmt::format("alsbench::mma_sum_pieces<{}, {}, {}, {}, {}, {}>", shape.rank,
                             layout.warps, blocks, chunk, phase, output);
  sum.shared_bytes = layout.strips_bytes();

  return {{plan, multiply, sum}, workspace_of(config, shape).bytes(layout.tiles())};
}

Variant mma() {
  Variant variant;
  variant.stage = Stage::normal_equations;
  variant.name = "mma";
  variant.backend = Backend::cuda;
  variant.summary = "A_u and b_u in one pass on tensor cores, a warp a row, A_u in registers";
  variant.space = {
      {"stages", {4, 3, 6}, "groups of 16 factor rows in a warp's ring of asynchronous copies"},
      {"l1", {"on", "off"}, "factor reads through L1 or past it"},
      {"chunk", {4096, 1024, 2048, 8192, 65536}, "longer rows are cut into pieces of this many"},
      {"warps", {4, 2, 1}, "of a block"},
      {"factors", {"fp16"}, "storage of the fixed factors; sums are FP32"},
      {"output", {"fp32", "fp16"}, "storage of A_u; fp16 holds A_u / n_u"},
      {.name = "phase",
       .values = {"all", "multiply"},
       .description = "all, or without the write of A_u, for timing",
       .diagnostic = true}};
  variant.objection = mma_objection;
  variant.plan = mma_plan;
  return variant;
}

}  // namespace

void add_normal_equations_cuda(std::vector<Variant>& list) { list.push_back(mma()); }

}  // namespace alsbench
