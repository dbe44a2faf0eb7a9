// SPDX-License-Identifier: Apache-2.0
// The run-time compiler's functions, and their check.
#pragma once

#include <utility>

#include "kernels/vendor/libraries.h"

namespace alsbench {

// Throws EnvironmentError where NVRTC is missing.
const vendor::Nvrtc& libnvrtc();

// Major and minor. Throws EnvironmentError likewise.
std::pair<int, int> nvrtc_version();

// Throws CompileError with the call unless `result` is success.
void nvrtc_check(nvrtcResult result, const char* call);

}  // namespace alsbench

#define NVRTC_CHECK(name, ...) \
  ::alsbench::nvrtc_check(::alsbench::libnvrtc().name(__VA_ARGS__), #name)
