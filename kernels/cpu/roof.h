// The baselines on the CPU: copies in parallel, OpenBLAS's sgemm over a batch, and a spin.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

void copy_chunks(const CopyParams& params, const CpuResources& resources);
void gather_rows(const CopyParams& params, const CpuResources& resources);
void spin(const SpinParams& params, const CpuResources& resources);
void gemm_strided(const GemmParams& params, const CpuResources& resources);

}  // namespace alsbench
