// SPDX-License-Identifier: Apache-2.0
// Kernels of default configurations: those that a static baseline is compared with, and those of a
// pack.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/device/compile_requests.h"
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

struct DefaultsRequest {
  std::string arch;
  std::vector<int32_t> ranks;
  std::vector<std::string> stages = {};  // empty: all of them, and the default pipelines
};

// At every rank, on `jobs` threads (0: all hardware threads). Does not look at the devices of this
// machine, so all machines compile the same. Throws UsageError where this machine's compiler does
// not know the architecture.
DefaultKernels compile_defaults(const DefaultsRequest& request, const KnownKernels& known,
                                int jobs);

// The kernels that travel with the program: those of default pipelines for short, usual and long
// rows of ratings, of the stages that no pipeline has, and of pipelines that were tuned for a
// device of that architecture. At every rank. They may repeat.
std::vector<CompileRequest> packed_kernels(const DeviceTraits& traits,
                                           const std::vector<int32_t>& ranks);

}  // namespace alsbench
