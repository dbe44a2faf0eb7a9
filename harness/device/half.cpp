#include "harness/device/half.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace alsbench {
namespace {

#if defined(__x86_64__)
__attribute__((target("avx,f16c"))) void halves_by_f16c(uint16_t* target, const float* source,
                                                        int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(source + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < count; ++i) target[i] = half_of(source[i]);
}
#endif

}  // namespace

uint16_t half_of(float value) {
  constexpr uint32_t kInfinity = 0x7f800000;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > kInfinity)  // a quiet NaN, its upper payload kept
    return static_cast<uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520 and above round to infinity
  if (magnitude < 0x38800000) {                       // below 2^-14: subnormal, in units of 2^-24
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p24f;
    // adding 2^23 leaves the integer nearest to `scaled`, ties to even, in the low bits
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(scaled + 0x1p23f) & 0x7fff));
  }
  const uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | (rounded - 0x38000000) >> 13);
}

void halves_of(uint16_t* target, const float* source, int64_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("f16c")) return halves_by_f16c(target, source, count);
#endif
  for (int64_t i = 0; i < count; ++i) target[i] = half_of(source[i]);
}

}  // namespace alsbench
