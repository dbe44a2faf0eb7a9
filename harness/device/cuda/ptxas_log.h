// SPDX-License-Identifier: Apache-2.0
// Reads what `--ptxas-options=-v` makes the compiler say of a kernel.
#pragma once

#include <string>

#include "harness/device/cuda_backend.h"

namespace alsbench {

// Fills in registers, spills, stack and static shared memory of `kernel.lowered_name` from `log`.
// Spills are summed over the kernel and the functions it calls, since each line counts its own
// function alone. The stack is the largest one, since the kernel's holds those of its callees.
// Throws CompileError when the log does not speak of that kernel.
void read_ptxas_log(const std::string& log, CompiledKernel& kernel);

}  // namespace alsbench
