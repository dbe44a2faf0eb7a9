// SPDX-License-Identifier: Apache-2.0
// Output of the run-time compiler about a kernel, and the hash of the code that it made.
#pragma once

#include <string>
#include <string_view>

#include "harness/device/cuda_backend.h"

namespace alsbench {

// Reads what `--ptxas-options=-v` makes the compiler say of a kernel: fills in registers, spills,
// stack and static shared memory of `kernel.lowered_name` from `log`. Spills are summed over the
// kernel and the functions it calls, since each line counts its own function alone. The stack is
// the largest one, since the kernel's holds those of its callees. Throws CompileError when the log
// does not speak of that kernel.
void read_ptxas_log(const std::string& log, CompiledKernel& kernel);

// The hash of a cubin's machine code: equal ones mean that the GPU runs the same instructions,
// whatever the names, line tables or source text. FNV-1a-128 over the executable sections of a
// 64-bit ELF file, in file order. Throws CompileError when `cubin` is none.
std::string code_hash_of(std::string_view cubin);

}  // namespace alsbench
