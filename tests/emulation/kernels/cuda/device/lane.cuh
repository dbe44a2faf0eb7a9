// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "tests/emulation/block.h"

namespace alsbench {

inline int fresh_lane() { return emulation::lane(); }
inline int unknown(int value) { return value; }

}  // namespace alsbench
