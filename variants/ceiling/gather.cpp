// SPDX-License-Identifier: Apache-2.0
// The ceilings of rows read by index, by where they lie: gather_l1, gather_l2 and gather_memory.
#include "kernels/cpu/ceiling/gather.h"

#include <fmt/format.h>

#include "variants/ceiling/sizes.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

const StageInfo kGatherL1{
    .name = "gather_l1", .ceiling = true, .reference_rate = Count::gathered_bytes, .on_chip = true};
const StageInfo kGatherL2{
    .name = "gather_l2", .ceiling = true, .reference_rate = Count::gathered_bytes, .on_chip = true};
const StageInfo kGatherMemory{
    .name = "gather_memory", .ceiling = true, .reference_rate = Count::gathered_bytes};

KernelPlan plan_of(std::string instance, const DeviceTraits& traits) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/ceiling/gather.cuh";
  launch.instance = std::move(instance);
  launch.block = kCeilingThreads;
  launch.grid = gather_streams(traits) / kStreamsOfBlock;
  return {{launch}, 0};
}

template <bool l1>
KernelPlan plan(const Config&, const Shape&, const DeviceTraits& traits) {
  return plan_of(fmt::format("alsbench::gather_rows<{}, {}>", kCeilingThreads, l1), traits);
}

KernelPlan shared_plan(const Config&, const Shape&, const DeviceTraits& traits) {
  return plan_of(fmt::format("alsbench::gather_shared_rows<{}, {}>", kCeilingThreads, kSharedRows),
                 traits);
}

}  // namespace

void add_gathers(Catalog& catalog) {
  for (const Stage stage : {&kGatherL1, &kGatherL2, &kGatherMemory}) {
    catalog.add(stage);
    catalog.add({.stage = stage,
                 .name = "rows",
                 .summary = "rows of 512 bytes at random places, added up",
                 .run = run_on_cpu<GatherParams, sum_streams>});
  }
  catalog.add({.stage = &kGatherL1,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "rows of 512 bytes at random places of L1, added up",
               .plan = plan<true>});
  catalog.add({.stage = &kGatherL1,
               .name = "shared",
               .backend = Backend::cuda,
               .summary = "the same of shared memory",
               .plan = shared_plan});
  catalog.add({.stage = &kGatherL2,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "rows of 512 bytes at random places of L2, past L1, added up",
               .plan = plan<false>});
  catalog.add({.stage = &kGatherMemory,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "rows of 512 bytes at random places of memory, added up",
               .plan = plan<false>});
}

}  // namespace alsbench
