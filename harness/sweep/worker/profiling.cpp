// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/profiling.h"

#if ALSBENCH_WITH_CUDA
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#endif

namespace alsbench {

#if ALSBENCH_WITH_CUDA
ProfileRange::ProfileRange(const std::string& name) { nvtxRangePushA(name.c_str()); }
ProfileRange::~ProfileRange() { nvtxRangePop(); }
ProfilerCapture::ProfilerCapture() { cudaProfilerStart(); }
ProfilerCapture::~ProfilerCapture() { cudaProfilerStop(); }
#else
ProfileRange::ProfileRange(const std::string&) {}
ProfileRange::~ProfileRange() {}
ProfilerCapture::ProfilerCapture() {}
ProfilerCapture::~ProfilerCapture() {}
#endif

}  // namespace alsbench
