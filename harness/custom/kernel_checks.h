// SPDX-License-Identifier: Apache-2.0
// Rules of a kernel.json that no schema has: names, expressions and files that belong together.
#pragma once

#include "harness/custom/kernel_file.h"

namespace alsbench::custom {

// Reports everything wrong at its place.
void check_kernel_file(const KernelFile& file, const JsonField& json);

}  // namespace alsbench::custom
