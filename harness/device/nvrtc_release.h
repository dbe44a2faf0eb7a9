// SPDX-License-Identifier: Apache-2.0
// The run-time compiler's release with its build, "13.0.88": code differs between builds of one
// version. Part of the key of compiled kernels and of static baselines.
#pragma once

#include <string>

namespace alsbench {

// Throws EnvironmentError in a CPU-only build.
std::string nvrtc_release();

}  // namespace alsbench
