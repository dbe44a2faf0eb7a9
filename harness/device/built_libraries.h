// SPDX-License-Identifier: Apache-2.0
// Versions of libraries that this program was built with. Nothing is opened for them.
#pragma once

#include <string>

namespace alsbench {

std::string built_cublas_version();  // empty: without CUDA

}  // namespace alsbench
