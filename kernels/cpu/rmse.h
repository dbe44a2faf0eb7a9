// SPDX-License-Identifier: Apache-2.0
// The stage rmse on the CPU: sums of squared errors and counts of cold cells in kRmsePartials
// contiguous ranges of rows, so the result does not depend on the number of threads.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/metric.h"

namespace alsbench {

void rmse_rows(const RmseParams& params, const CpuResources& resources);

}  // namespace alsbench
