// SPDX-License-Identifier: Apache-2.0
// What no schema says of a kernel.json: names, expressions and files that belong together.
#pragma once

#include "harness/custom/kernel_file.h"

namespace alsbench::custom {

// Reports everything wrong at its place.
void check_kernel_file(const KernelFile& file, const JsonField& json);

}  // namespace alsbench::custom
