// SPDX-License-Identifier: Apache-2.0
// The code hash of steps: it changes when the code that they run changes. By it a tuning result is
// known to be stale.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

// Our own CUDA kernels are hashed by their machine code. It is compiled now, or found in the cache;
// no GPU is needed. Variants compiled with the program are hashed by their sources and flags, and
// those of vendor libraries by the libraries' versions as well.
// Nothing where a kernel cannot be compiled here: the build has no CUDA, or the compiler refuses.
// `steps` must be able to run on the shape and the device.
std::optional<std::string> code_hash_of_steps(const std::vector<PipelineStep>& steps,
                                              const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
