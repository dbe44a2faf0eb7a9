// SPDX-License-Identifier: Apache-2.0
// The ceilings of arithmetic: fma, FP32 units, and mma, tensor cores by type. Operands stand in
// registers, and nothing waits for memory.
#include <fmt/format.h>

#include "kernels/cpu/ceiling/fma.h"
#include "variants/ceiling/sizes.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

const StageInfo kFma{
    .name = "fma", .ceiling = true, .reference_rate = Count::useful_flops, .on_chip = true};
const StageInfo kMma{
    .name = "mma", .ceiling = true, .reference_rate = Count::useful_flops, .on_chip = true};

KernelPlan plan_of(const char* source, std::string instance, int64_t blocks) {
  KernelLaunch launch;
  launch.source = source;
  launch.instance = std::move(instance);
  launch.block = kCeilingThreads;
  launch.grid = blocks;
  return {{launch}, 0};
}

KernelPlan fma_plan(const Config&, const Shape&, const DeviceTraits& traits) {
  return plan_of("kernels/cuda/ceiling/fma.cuh",
                 fmt::format("alsbench::fma_chains<{}>", kCeilingThreads), fma_tasks(traits));
}

std::string element_of(Scalar type) {
  if (type == Scalar::int8) return "alsbench::SignedByte";
  if (type == Scalar::fp8) return "alsbench::E4m3Byte";
  return std::string(element_type(type));
}

KernelPlan mma_plan(const Config& config, const Shape&, const DeviceTraits& traits) {
  return plan_of("kernels/cuda/ceiling/mma.cuh",
                 fmt::format("alsbench::mma_chains<{}, {}>",
                             element_of(*scalar_named(config.get("precision"))), kCeilingThreads),
                 mma_blocks(traits));
}

std::optional<std::string> mma_objection(const Config& config, const Shape&,
                                         const DeviceTraits& traits) {
  if (traits.architecture < 80) return "needs mma.m16n8k16 (sm_80 or newer)";
  if (config.is("precision", "fp8") && !multiplies_fp8(traits))
    return "mma.sync multiplies e4m3 on sm_89, sm_120 and sm_121 alone";
  return std::nullopt;
}

}  // namespace

void add_arithmetic_ceilings(Catalog& catalog) {
  catalog.add(&kFma);
  catalog.add(&kMma);
  catalog.add({.stage = &kFma,
               .name = "chains",
               .summary = "chains of fused multiply-adds in vector registers",
               .run = run_on_cpu<FmaParams, fma_chains>});
  catalog.add({.stage = &kFma,
               .name = "chains",
               .backend = Backend::cuda,
               .summary = "chains of fused multiply-adds in registers, eight a thread",
               .plan = fma_plan});
  catalog.add({.stage = &kMma,
               .name = "chains",
               .backend = Backend::cuda,
               .summary = "mma.sync on operands in registers, eight sums a warp",
               .space = {{.name = "precision",
                          .values = {"fp16", "bf16", "tf32", "int8", "fp8"},
                          .description = "of both operands; sums are FP32, those of int8 integers",
                          .effect = Effect::storage,
                          .operand = Operand::factors}},
               .objection = mma_objection,
               .plan = mma_plan});
}

}  // namespace alsbench
