// SPDX-License-Identifier: Apache-2.0
// The hash of a cubin's machine code: equal hashes mean that the GPU runs the same instructions,
// whatever the names, line tables or source text.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// FNV-1a-128 over the executable sections of a 64-bit ELF file, in file order. Throws CompileError
// when `cubin` is none.
std::string code_hash_of(std::string_view cubin);

}  // namespace alsbench
