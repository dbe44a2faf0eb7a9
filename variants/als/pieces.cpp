// SPDX-License-Identifier: Apache-2.0
#include "variants/als/pieces.h"

#include <fmt/format.h>

#include <algorithm>

namespace alsbench::pieces {
namespace {

constexpr int kThreads = 256;

KernelLaunch launch_of(const char* source, const char* kernel, int64_t rows,
                       const DeviceTraits& traits) {
  constexpr int64_t kMaxBlocks = 8;  // of a multiprocessor
  KernelLaunch launch;
  launch.source = source;
  launch.instance = fmt::format("alsbench::{}<{}>", kernel, kThreads);
  launch.grid = std::min((rows + kThreads - 1) / kThreads, kMaxBlocks * traits.multiprocessors);
  launch.block = kThreads;
  return launch;
}

}  // namespace

std::optional<std::string> objection(const PieceWorkspace& workspace, const DeviceTraits& traits) {
  if (traits.memory_bytes == 0 || workspace.bytes() <= traits.memory_bytes / 4) return std::nullopt;
  return fmt::format(
      "the pieces of long rows may need {} bytes, more than a quarter of the device's memory; use "
      "a larger chunk",
      workspace.bytes());
}

KernelPlan prelude(const PieceWorkspace& workspace, bool ordered, int64_t rows,
                   const DeviceTraits& traits) {
  KernelPlan plan;
  plan.workspace_bytes = workspace.bytes();
  PlanArguments arguments;
  arguments.pieces = workspace.layout(ordered);
  plan.arguments = arguments;
  const bool all_listed = workspace.rows > 0;
  const auto add = [&](const char* source, const char* kernel) {
    plan.launches.push_back(launch_of(source, kernel, rows, traits));
  };
  if (all_listed) {
    add("kernels/cuda/rows/list.cuh", "count_items");
    add("kernels/cuda/rows/list.cuh", "place_items");
  } else {
    add("kernels/cuda/rows/plan.cuh", "plan_rows");
    if (ordered) add("kernels/cuda/rows/order.cuh", "order_pieces");
  }
  plan.launches.front().clear_workspace_bytes =
      all_listed || ordered ? PieceWorkspace::kItemsAt : static_cast<int>(sizeof(RowCounters));
  return plan;
}

}  // namespace alsbench::pieces
