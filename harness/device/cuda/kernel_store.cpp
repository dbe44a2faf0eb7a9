// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/kernel_store.h"

#include <utility>

#include "base/error.h"

namespace alsbench {
namespace {

// Beyond them, those that nobody uses are unloaded.
constexpr size_t kMaxStoredKernels = 256;

StoredKernel load(const KernelLaunch& launch, CompiledKernel compiled) {
  auto loaded = std::make_shared<const LoadedKernel>(compiled.cubin, compiled.lowered_name,
                                                     launch.shared_bytes);
  compiled.cubin = {};
  return {std::move(compiled), std::move(loaded)};
}

}  // namespace

KernelStore::Key KernelStore::key_of(const KernelLaunch& launch) {
  return {launch.source, launch.instance, launch.shared_bytes};
}

std::vector<StoredKernel> KernelStore::kernels_of(const KernelPlan& plan, int architecture) {
  std::vector<StoredKernel> kernels;
  std::vector<CompileRequest> missing;
  for (const KernelLaunch& launch : plan.launches) {
    const auto kept = kernels_.find(key_of(launch));
    kernels.push_back(kept != kernels_.end() ? kept->second : StoredKernel{});
    if (kept == kernels_.end()) missing.push_back({launch.source, launch.instance, architecture});
  }
  const std::vector<CompileResult> compiled = compile_all(missing);
  auto next = compiled.begin();
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].loaded) continue;
    const CompileResult& result = *next++;
    if (!result.error.empty()) throw CompileError(result.error);
    kernels[i] = load(plan.launches[i], result.kernel);
    keep(plan.launches[i], kernels[i]);
  }
  return kernels;
}

void KernelStore::keep(const KernelLaunch& launch, StoredKernel kernel) {
  if (kernels_.size() >= kMaxStoredKernels)
    std::erase_if(kernels_, [](const auto& kept) { return kept.second.loaded.use_count() == 1; });
  kernel.compiled.from_cache = true;  // for the next one who asks
  kernel.compiled.compile_seconds = 0;
  kernels_.insert_or_assign(key_of(launch), std::move(kernel));
}

}  // namespace alsbench
