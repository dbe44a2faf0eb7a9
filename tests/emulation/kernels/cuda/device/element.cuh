// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "kernels/cpu/half.h"
#include "tests/emulation/block.h"

namespace alsbench {

struct Half {
  uint16_t bits;
};

inline uint32_t pack_halves(float low, float high) {
  return float_to_half(low) | static_cast<uint32_t>(float_to_half(high)) << 16;
}

}  // namespace alsbench
