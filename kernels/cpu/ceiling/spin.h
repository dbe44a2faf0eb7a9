// SPDX-License-Identifier: Apache-2.0
// The ceiling spin on the CPU: a chain a task.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/spin.h"

namespace alsbench {

inline void spin(const SpinParams& params, const CpuResources& resources) {
  const auto run_chain = [&](int64_t chain, int) {
    params.target[chain] = spin_chain(static_cast<uint32_t>(chain));
  };
  parallel_rows(params.chains, resources.threads, run_chain, 1);
}

}  // namespace alsbench
