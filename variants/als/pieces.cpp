// SPDX-License-Identifier: Apache-2.0
#include "variants/als/pieces.h"

#include <fmt/format.h>

namespace alsbench::pieces {
namespace {

constexpr int kThreads = 256;

KernelLaunch launch_of(const char* source, const char* kernel, const DeviceTraits& traits) {
  KernelLaunch launch;
  launch.source = source;
  launch.instance = fmt::format("alsbench::{}<{}>", kernel, kThreads);
  launch.grid = int64_t{8} * traits.multiprocessors;
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

KernelPlan prelude(const PieceWorkspace& workspace, bool ordered, const DeviceTraits& traits) {
  KernelPlan plan;
  plan.workspace_bytes = workspace.bytes();
  PlanArguments arguments;
  arguments.pieces = workspace.layout(ordered);
  plan.arguments = arguments;
  if (workspace.short_ratings > 0) {
    for (const char* kernel : {"count_short_rows", "place_short_rows"})
      plan.launches.push_back(launch_of("kernels/cuda/rows/short.cuh", kernel, traits));
    plan.launches.front().clear_workspace_bytes = PieceWorkspace::kBucketsAt;
    return plan;
  }
  plan.launches.push_back(launch_of("kernels/cuda/rows/plan.cuh", "plan_rows", traits));
  plan.launches.front().clear_workspace_bytes =
      ordered ? PieceWorkspace::kPiecesAt : static_cast<int>(sizeof(RowCounters));
  if (ordered)
    plan.launches.push_back(launch_of("kernels/cuda/rows/order.cuh", "order_pieces", traits));
  return plan;
}

}  // namespace alsbench::pieces
