// IEEE half precision in memory (uint16_t) and float: single values. The rows that kernels convert
// go through simd/simd.h.
#pragma once

#include <bit>
#include <cstdint>

namespace alsbench {

inline float half_to_float(uint16_t half) {
  return static_cast<float>(std::bit_cast<_Float16>(half));
}

// Rounds to nearest even; overflow becomes infinity.
inline uint16_t float_to_half(float value) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

}  // namespace alsbench
