// SPDX-License-Identifier: Apache-2.0
// One chain of dependent steps a thread: the control of the SM clock. Grid: enough for all chains.
#pragma once

#include "kernels/shared/spin.h"

namespace alsbench {

__global__ void __launch_bounds__(kSpinChains) spin(SpinParams p) {
  const int64_t chain = static_cast<int64_t>(blockIdx.x) * kSpinChains + threadIdx.x;
  if (chain < p.chains) p.target[chain] = spin_chain(static_cast<uint32_t>(chain));
}

}  // namespace alsbench
