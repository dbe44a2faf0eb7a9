// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "tests/emulation/block.h"

namespace alsbench {

inline int fresh_lane() { return emulation::lane(); }
inline constexpr bool kHoldsMore = false;
template <typename Word>
Word unknown_where_held(Word value) {
  return value;
}
inline int add_if(bool wanted, int* target, int value) {
  return wanted ? atomicAdd(target, value) : 0;
}
inline void store_if(bool wanted, int* target, int value) {
  if (wanted) *target = value;
}
template <typename Word>
Word held(Word value) {
  return value;
}

}  // namespace alsbench
