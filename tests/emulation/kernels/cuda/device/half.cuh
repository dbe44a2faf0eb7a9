// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "kernels/cpu/half.h"
#include "tests/emulation/block.h"

namespace alsbench {

struct Half {
  uint16_t bits;
};

}  // namespace alsbench
