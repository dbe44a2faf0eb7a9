// SPDX-License-Identifier: Apache-2.0
// Pointer arrays of batched library calls, kept in an executable's scratch memory: uploaded once,
// reused while they stay the same.
#pragma once

#include "variants/core/run_context.h"

namespace alsbench {

// The device address of an array base, base + stride_bytes, ... of `count` pointers, in scratch
// slot `slot`.
void** pointer_array(const RunContext& context, int slot, const void* base, int64_t stride_bytes,
                     int64_t count);

}  // namespace alsbench
