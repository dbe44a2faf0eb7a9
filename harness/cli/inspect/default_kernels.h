// SPDX-License-Identifier: Apache-2.0
// Compiled default configurations of all variants, and of the default pipelines: the test side of a
// static baseline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/device/cuda_backend.h"
#include "harness/judge/static_baseline.h"

namespace alsbench {

// Kernels that were compiled before, by source hash. Holds no cubins.
using KnownKernels = std::map<std::string, CompiledKernel>;
KnownKernels known_kernels(const StaticBaseline& base);

struct DefaultKernels {
  StaticBaseline baseline;
  size_t compiled = 0, known = 0;  // launches
};

// At every rank, on `jobs` threads (0: all hardware threads). Does not look at the devices of this
// machine, so all machines compile the same. Throws UsageError where this machine's compiler does
// not know the architecture.
DefaultKernels compile_defaults(const std::string& arch, const std::vector<int32_t>& ranks,
                                const KnownKernels& known, int jobs);

}  // namespace alsbench
