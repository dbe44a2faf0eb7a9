// SPDX-License-Identifier: Apache-2.0
// copy and read, sequential, the ceilings of memory; and gather_copy, factor rows by index.
#include "kernels/cpu/ceiling/copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "variants/ceiling/sizes.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

#if ALSBENCH_WITH_CUDA
#include "kernels/vendor/memory.h"
#endif

namespace alsbench {
namespace {

Work moved(double bytes) { return {0, 0, bytes, bytes}; }

const StageInfo kCopy{
    .name = "copy",
    .work = [](const Shape& shape,
               const WorkOptions&) { return moved(2.0 * static_cast<double>(copy_bytes(shape))); },
    .ceiling = true,
    .reference_rate = Count::compulsory_bytes};
const StageInfo kRead{.name = "read", .ceiling = true, .reference_rate = Count::compulsory_bytes};
const StageInfo kGatherCopy{.name = "gather_copy",
                            .work =
                                [](const Shape& shape, const WorkOptions&) {
                                  return moved(static_cast<double>(gather_copy_rows(shape)) *
                                               (8.0 * factor_pitch(shape.rank) + 4));
                                },
                            .ceiling = true};

#if ALSBENCH_WITH_CUDA
void run_copy(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  const auto& p = params.as<CopyParams>();
  vendor::copy(context.stream, p.target, p.source, p.bytes);
}
#else

const Variant::Run run_copy;

#endif

KernelPlan read_plan(const Config&, const Shape&, const DeviceTraits& traits) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/ceiling/read.cuh";
  launch.instance = fmt::format("alsbench::read_words<{}>", kCeilingThreads);
  launch.block = kCeilingThreads;
  launch.grid = read_tasks(traits) / kStreamsOfBlock;
  return {{launch}, 0};
}

KernelPlan gather_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const int vectors = factor_pitch(shape.rank) * 4 / 16;
  KernelLaunch launch;
  launch.source = "kernels/cuda/ceiling/gather_copy.cuh";
  launch.instance = fmt::format("alsbench::gather_copy<{}, {}, {}>", vectors, config.get("threads"),
                                config.is("l1", "on"));
  launch.block = config.integer("threads");
  launch.grid = std::max(1, traits.multiprocessors) *
                int64_t{std::max(1, traits.threads_per_multiprocessor / launch.block)};
  return {{launch}, 0};
}

}  // namespace

void add_copies(Catalog& catalog) {
  catalog.add(&kCopy);
  catalog.add(&kRead);
  catalog.add(&kGatherCopy);
  catalog.add({.stage = &kCopy,
               .name = "memcpy",
               .summary = "memcpy in chunks over all threads",
               .run = run_on_cpu<CopyParams, copy_chunks>});
  catalog.add({.stage = &kRead,
               .name = "words",
               .summary = "all words, added up, in chunks over all threads",
               .run = run_on_cpu<ReadParams, read_chunks>});
  catalog.add({.stage = &kGatherCopy,
               .name = "rows",
               .summary = "copies factor rows in the order of the ratings",
               .run = run_on_cpu<CopyParams, gather_rows>});
  catalog.add({.stage = &kCopy,
               .name = "memcpy",
               .backend = Backend::cuda,
               .summary = "cudaMemcpyAsync, device to device",
               .run = run_copy});
  catalog.add({.stage = &kRead,
               .name = "words",
               .backend = Backend::cuda,
               .summary = "all words, added up, 16 bytes a thread at a time",
               .plan = read_plan});
  catalog.add({.stage = &kGatherCopy,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "factor rows by index, in target order",
               .space = {{"l1", {"on", "off"}, "reads through L1 or past it"},
                         {"threads", {256, 512}, "threads of a block"}},
               .plan = gather_plan});
}

}  // namespace alsbench
