// SPDX-License-Identifier: Apache-2.0
// The largest of the members' words, each member reading those of the others from their memory.
// They may be raised meanwhile: what is read is then the largest already.
#pragma once

#include "kernels/shared/params/tools.h"

namespace alsbench {

// A block.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) raise_words(RaiseParams p) {
  for (int64_t i = threadIdx.x; i < p.count; i += kThreads) {
    uint32_t largest = p.words[i];
    for (int other = 0; other < p.other_count; ++other) {
      const uint32_t word = __ldcv(p.others[other] + i);
      largest = largest > word ? largest : word;
    }
    p.words[i] = largest;
  }
}

}  // namespace alsbench
