// SPDX-License-Identifier: Apache-2.0
// A custom kernel of the CPU: its source, compiled by the system's compiler when it is first run
// and kept in the cache folder.
#pragma once

#include <string>

#include "harness/custom/kernel_file.h"
#include "variants/core/kernel_arguments.h"

namespace alsbench::custom {

// Calls the function with the arguments' slots.
using HostFunction = void(void** arguments);

// $CXX, else c++.
std::string host_compiler();
// The source that is compiled: the kernel's file, and a function that calls it by its slots.
std::string host_source(const KernelFile& file, const Kernel& kernel, const Config& config);
// Throws CompileError with the compiler's complaint, EnvironmentError where there is no compiler.
HostFunction* host_function(const KernelFile& file, const Kernel& kernel, const Config& config);

}  // namespace alsbench::custom
