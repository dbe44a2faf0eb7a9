// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "tests/emulation/block.h"

namespace alsbench {

inline void wait_for(const int32_t* flag, int32_t value) {
  while (*flag != value) emulation::yield();
}
inline void announce(int32_t* flag, int32_t value) {
  emulation::sync_warp();
  if (emulation::lane() == 0) *flag = value;
}

}  // namespace alsbench
