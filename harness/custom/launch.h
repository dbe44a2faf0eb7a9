// SPDX-License-Identifier: Apache-2.0
// How a custom CUDA kernel is launched, and what its parameters make of the compiler's input.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "harness/custom/kernel_file.h"
#include "variants/core/device_traits.h"
#include "variants/core/kernel_plan.h"

namespace alsbench::custom {

using Limits = std::array<int64_t, 3>;
inline constexpr Limits kGridLimits{2147483647, 65535, 65535};  // CUDA's
inline constexpr Limits kBlockLimits{1024, 1024, 64};

// Along x, y and z. Throws UsageError where one is no whole number from 1 to its limit, or where
// there are more than three.
Limits extents_in(const OneOrMore<TextOrNumber>& expressions, const Config& names,
                  const Limits& limits);

// Of a block, along x, y and z. Throws as extents_in, and UsageError where they are more in all
// than CUDA takes.
Limits threads_in(const OneOrMore<TextOrNumber>& block, const Config& names);

// The function as the compiler is to be asked for it: "gemm<16, 32>" or "gemm -DTILE=16".
std::string instance_of(const Kernel& kernel, const Config& config);
// The macros and the options of a kernel, each an argument of the compiler.
std::vector<std::string> compiler_options(const Kernel& kernel, const Config& config);
// "gemm" or "gemm<16, 32>".
std::string function_of(const Kernel& kernel, const Config& config);

// Why a point cannot run there, or nothing.
std::optional<std::string> objection(const KernelFile& file, const Kernel& kernel,
                                     const Config& names, const DeviceTraits& traits);
KernelPlan plan(const KernelFile& file, const Kernel& kernel, const Config& config,
                const Config& sizes);

}  // namespace alsbench::custom
