// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/families.h"

#include "harness/files/embedded.h"
#if ALSBENCH_WITH_CUDA
#include "harness/device/cuda/kernel_sources.h"
#endif

namespace alsbench {

const std::vector<EmbeddedFile>& embedded_chaos_kernels();  // tests/chaos/kernels

namespace {

// An object is linked as a whole, so this runs before main.
[[maybe_unused]] const bool kAdded = [] {
  for (const auto add_family : {add_chaos_cpu, add_chaos_cuda, add_planted_cpu, add_planted_cuda})
    extend_catalog(add_family);
#if ALSBENCH_WITH_CUDA
  KernelSources::add(embedded_chaos_kernels());
#endif
  return true;
}();

}  // namespace
}  // namespace alsbench
