// SPDX-License-Identifier: Apache-2.0
// The roof spin on the CPU: a chain a task.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/spin.h"

namespace alsbench {

void spin(const SpinParams& params, const CpuResources& resources);

}  // namespace alsbench
