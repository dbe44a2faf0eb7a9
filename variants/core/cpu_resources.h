// SPDX-License-Identifier: Apache-2.0
// Shared by CPU variants: the resources of a run, and a kernel as a variant's run.
#pragma once

#include "kernels/cpu/parallel.h"
#include "variants/core/config.h"
#include "variants/core/run_context.h"
#include "variants/core/shape.h"
#include "variants/core/stage_params.h"

namespace alsbench {

inline CpuResources cpu_resources(const RunContext& context) {
  return {cpu_threads(context.threads), context.scratch};
}

// `kernel`, which takes `Params` and needs no configuration, as a variant's run.
template <class Params, auto kernel>
void run_on_cpu(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  kernel(params.as<Params>(), cpu_resources(context));
}

}  // namespace alsbench
