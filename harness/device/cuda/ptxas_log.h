// SPDX-License-Identifier: Apache-2.0
// Reads what `--ptxas-options=-v` makes the compiler say of a kernel.
#pragma once

#include <string>

#include "harness/device/cuda_backend.h"

namespace alsbench {

// Fills in registers, spills, stack and static shared memory of `kernel.lowered_name` from `log`:
// the spills of the kernel and of the functions it calls added up, since each line counts its own
// function alone; of their stacks the largest, since the kernel's holds those of what it calls.
// Throws CompileError when the log does not speak of that kernel.
void read_ptxas_log(const std::string& log, CompiledKernel& kernel);

}  // namespace alsbench
