// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stages centre and level_columns.
#include <fmt/format.h>

#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {
namespace {

KernelPlan plan_of(const char* source, const char* kernel, const DeviceTraits& traits) {
  constexpr int kThreads = 256, kBlocks = 8;  // of a multiprocessor
  KernelLaunch launch;
  launch.source = source;
  launch.instance = fmt::format("alsbench::{}<{}>", kernel, kThreads);
  launch.grid = int64_t{kBlocks} * traits.multiprocessors;
  launch.block = kThreads;
  return {{launch}, 0};
}

}  // namespace

void add_bias_terms_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::centre,
               .name = "elements",
               .backend = Backend::cuda,
               .summary = "a thread a rating at a time",
               .plan = [](const Config&, const Shape&, const DeviceTraits& traits) {
                 return plan_of("kernels/cuda/levels/centre.cuh", "centre_ratings", traits);
               }});
  catalog.add({.stage = &stages::level_columns,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "a thread a row at a time",
               .plan = [](const Config&, const Shape&, const DeviceTraits& traits) {
                 return plan_of("kernels/cuda/levels/columns.cuh", "set_level_columns", traits);
               }});
}

}  // namespace alsbench
