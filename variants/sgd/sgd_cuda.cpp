// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stage sgd_epoch.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/sgd/layout.cuh"
#include "variants/families.h"
#include "variants/sgd/sgd.h"

namespace alsbench {
namespace {

Scalar factors_type(const Config& config) {
  return scalar_named(config.get("factors")).value_or(Scalar::fp16);
}

// So many that each has some batches, one after another: where ratings are few and all workers run
// side by side, most of what they write is lost.
KernelPlan lock_free_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  constexpr int64_t kBatchesPerWorker = 8;
  const Scalar type = factors_type(config);
  const int64_t batch = config.integer("batch"), warps = config.integer("warps");
  const int64_t workers = 32 / sgd_lanes(shape.rank, static_cast<int>(size_of(type)));
  KernelLaunch launch;
  launch.source = "kernels/cuda/sgd/lock_free.cuh";
  launch.instance = fmt::format("alsbench::sgd_lock_free<{}, {}, {}, {}>", shape.rank,
                                element_type(type), batch, warps);
  launch.grid = std::clamp<int64_t>(shape.nnz / (batch * kBatchesPerWorker * workers), 1,
                                    warps * traits.multiprocessors);
  launch.block = 32;
  return {{launch}, 0};
}

Variant lock_free() {
  return {.stage = &stages::sgd_epoch,
          .name = "lock_free",
          .backend = Backend::cuda,
          .summary = "a group of lanes a batch of shuffled runs, without locks",
          .space = {sgd_parameters::factors({"fp16", "fp32"}),
                    sgd_parameters::kRun,
                    sgd_parameters::kBatch,
                    {"warps", {16, 8, 32}, "on a multiprocessor at a time"}},
          .plan = lock_free_plan,
          .nondeterminism = sgd_parameters::kRaces};
}

// Warps of a block, where each multiprocessor has one block at most.
int64_t warps_of(const Config& config, const DeviceTraits& traits) {
  const int64_t grid = config.integer("grid"), places = std::max(1, traits.multiprocessors);
  return (grid + places - 1) / places;
}

std::optional<std::string> blocked_objection(const Config& config, const Shape&,
                                             const DeviceTraits& traits) {
  constexpr int64_t kMaxWarps = 16;
  if (warps_of(config, traits) <= kMaxWarps) return std::nullopt;
  return fmt::format("{} workers must run at once, the device has {} multiprocessors with {} each",
                     config.get("grid"), traits.multiprocessors, kMaxWarps);
}

KernelPlan blocked_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const int64_t grid = config.integer("grid"), warps = warps_of(config, traits);
  KernelLaunch launch;
  launch.source = "kernels/cuda/sgd/blocked.cuh";
  launch.instance = fmt::format("alsbench::sgd_blocked<{}, {}, {}>", shape.rank,
                                element_type(factors_type(config)), 32 * warps);
  launch.grid = (grid + warps - 1) / warps;
  launch.block = static_cast<int>(32 * warps);
  launch.clear_workspace_bytes = static_cast<int>(4 * grid);
  return {{launch}, 4 * grid};
}

Variant blocked() {
  return {.stage = &stages::sgd_epoch,
          .name = "blocked",
          .backend = Backend::cuda,
          .summary = "a warp a block, in an order in which no two share a row or a column",
          .space = {sgd_parameters::factors({"fp16", "fp32"}),
                    sgd_parameters::grid({512, 128, 256, 1024})},
          .objection = blocked_objection,
          .plan = blocked_plan};
}

}  // namespace

void add_sgd_cuda(Catalog& catalog) {
  catalog.add(lock_free());
  catalog.add(blocked());
}

}  // namespace alsbench
