// SPDX-License-Identifier: Apache-2.0
// The ceiling spin: chains of dependent steps in registers. It takes time and does nothing that
// anything is compared with: the control of the clock.
#include "kernels/cpu/ceiling/spin.h"

#include <algorithm>

#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr const char* kSummary = "chains of dependent steps in registers: the control of the clock";

const StageInfo kSpin{.name = "spin",
                      .work = [](const Shape&, const WorkOptions&) { return Work{}; },
                      .ceiling = true};

KernelPlan chain_plan(const Config&, const Shape&, const DeviceTraits& traits) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/ceiling/spin.cuh";
  launch.instance = "alsbench::spin";
  launch.block = kSpinChains;
  launch.grid = std::max(1, traits.multiprocessors);
  return KernelPlan{{launch}, 0};
}

}  // namespace

void add_spin(Catalog& catalog) {
  catalog.add(&kSpin);
  catalog.add(
      {.stage = &kSpin, .name = "chain", .summary = kSummary, .run = run_on_cpu<SpinParams, spin>});
  catalog.add({.stage = &kSpin,
               .name = "chain",
               .backend = Backend::cuda,
               .summary = kSummary,
               .plan = chain_plan});
}

}  // namespace alsbench
