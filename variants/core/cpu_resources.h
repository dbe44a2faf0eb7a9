// RunContext as CPU kernels take it; every *_cpu.cpp of variants includes it.
#pragma once

#include "kernels/cpu/parallel.h"
#include "variants/core/run_context.h"

namespace alsbench {

inline CpuResources cpu_resources(const RunContext& context) {
  return {cpu_threads(context.threads), context.scratch};
}

}  // namespace alsbench
