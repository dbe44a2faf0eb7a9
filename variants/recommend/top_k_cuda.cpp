// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stage top_k.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/recommend/layout.cuh"
#include "kernels/shared/params/recommend.h"
#include "variants/families.h"
#include "variants/recommend/stages.h"

namespace alsbench {
namespace {

TopKLayout layout_of(const Config& config, const Shape& shape) {
  return {shape.rank, config.integer("rows"), config.integer("items"), config.integer("capacity")};
}

// Two, if they fit: one multiplies while the other selects.
int blocks_at_once(const TopKLayout& layout, const DeviceTraits& traits) {
  constexpr int64_t kReserved = 1024;  // of shared memory, by the driver, a block
  return traits.shared_bytes_per_multiprocessor >= 2 * (layout.shared_bytes() + kReserved) ? 2 : 1;
}

std::optional<std::string> fused_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (traits.architecture < 80)
    return "multiplies tf32 on tensor cores and copies asynchronously (sm_80 or newer)";
  const int64_t bytes = layout_of(config, shape).shared_bytes();
  if (bytes > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}", bytes,
                       traits.shared_bytes_per_block);
  return std::nullopt;
}

KernelPlan fused_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const TopKLayout layout = layout_of(config, shape);
  const int blocks = blocks_at_once(layout, traits);
  KernelLaunch launch;
  launch.source = "kernels/cuda/recommend/top_k.cuh";
  launch.instance = fmt::format("alsbench::top_k<{}, {}, {}, {}, {}>", layout.rank, layout.rows,
                                layout.items, layout.capacity, blocks);
  launch.grid = std::clamp<int64_t>((shape.rows + layout.rows - 1) / layout.rows, 1,
                                    int64_t{blocks} * std::max(1, traits.multiprocessors));
  launch.block = TopKLayout::kThreads;
  launch.shared_bytes = layout.shared_bytes();
  return {{launch}, launch.grid * layout.block_candidates() * int64_t{sizeof(uint64_t)}};
}

}  // namespace

void add_top_k_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::top_k,
               .name = "fused",
               .backend = Backend::cuda,
               .summary = "tiles of scores on tensor cores, selected from while in registers",
               .space = {{"rows", {128, 64}, "users of a block at a time"},
                         {"items", {128, 64}, "items of a tile"},
                         {"capacity",
                          {512, 256, 1024},
                          "candidates that a user keeps before the best k are selected; k is at "
                          "most half"}},
               .objection = fused_objection,
               .plan = fused_plan,
               .multiplies = [](const Config&) { return Scalar::tf32; }});
}

}  // namespace alsbench
