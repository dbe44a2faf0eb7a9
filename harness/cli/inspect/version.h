// SPDX-License-Identifier: Apache-2.0
// The text of `alsbench --version`: enough to tell two builds apart in a report.
#pragma once

#include <string>

namespace alsbench {

// "alsbench 0.1.0", then one line each: commit, compiler, build type, CUDA toolkit, cuBLAS and
// BLAS. No newline at the end.
std::string version_text();

}  // namespace alsbench
