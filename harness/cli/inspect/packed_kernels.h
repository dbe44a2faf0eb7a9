// SPDX-License-Identifier: Apache-2.0
// Which kernels travel with the program: those that trainings run by default.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/compile_requests.h"

namespace alsbench {

// Kernels of default pipelines for short, usual and long rows of ratings, and of the stages that no
// pipeline has. At every rank. They may repeat.
std::vector<CompileRequest> packed_kernels(const DeviceTraits& traits,
                                           const std::vector<int32_t>& ranks);

}  // namespace alsbench
