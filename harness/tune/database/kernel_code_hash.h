// SPDX-License-Identifier: Apache-2.0
// Code identity: a hash that changes when the code which a choice of steps runs changes, so that a
// tuning result can be told stale.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

// Of our own CUDA kernels the machine code, compiled now for that architecture (no GPU needed, the
// cache of kernels is used); of variants compiled with the program their sources and flags; of
// vendor libraries' variants their versions, too. Nothing where a kernel cannot be compiled here: a
// build without CUDA, or a compiler that refuses it. `steps` must be able to run on shape and
// device.
std::optional<std::string> code_hash_of_steps(const std::vector<PipelineStep>& steps,
                                              const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
