// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "tests/emulation/block.h"

namespace alsbench {

template <int kThreads>
void sync_apart() {
  emulation::sync_block();
}

}  // namespace alsbench
