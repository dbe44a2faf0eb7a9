// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tiles/emulated_products.h"

#include <bit>
#include <limits>

#include "kernels/cpu/element.h"

// The first runs anywhere, the second where there is AVX2.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ALSBENCH_FAST_WHERE_IT_CAN [[gnu::target_clones("default", "arch=x86-64-v3")]]
#else
#define ALSBENCH_FAST_WHERE_IT_CAN
#endif

namespace alsbench::emulated_amx {
namespace {

constexpr int kLanes = 4;
using Floats [[gnu::vector_size(16)]] = float;
using Doubles [[gnu::vector_size(32)]] = double;
using Longs [[gnu::vector_size(32)]] = int64_t;

[[gnu::always_inline]] inline Doubles magnitudes(const Doubles& values) {
  return std::bit_cast<Doubles>(std::bit_cast<Longs>(values) & INT64_MAX);
}

// The floats next to the sums of products of two bf16, which doubles hold, and floats. First a sum
// is rounded to odd, so the second rounding is as if it were the only one (Boldo and Melquiond,
// Emulation of FMA and correctly rounded sums, IEEE ToC 2008). Whether it is tiny, the processor
// asks once it is rounded to 24 bits: half a unit of these below the least normal one.
[[gnu::always_inline]] inline Doubles flushed_sums(const Doubles& a, const Doubles& b) {
  constexpr double kMinKept = double{kMinNormal} - 0x1p-151;
  constexpr double kMost = std::numeric_limits<double>::max();
  const Doubles sum = a + b, part = sum - a;
  const Doubles rest = (a - (sum - part)) + (b - part);
  const Longs bits = std::bit_cast<Longs>(sum);
  const Longs away = (rest > 0) == (sum > 0);  // -1 where the sum's magnitude was rounded down
  const Longs inexact = (rest != 0) & ((bits & 1) == 0);
  const Doubles odd = std::bit_cast<Doubles>(bits + (inexact & (-1 - 2 * away)));
  const Doubles rounded = __builtin_convertvector(__builtin_convertvector(odd, Floats), Doubles);
  const Doubles zero = std::bit_cast<Doubles>(bits & INT64_MIN);
  const Doubles kept = magnitudes(odd) < kMinKept ? zero : rounded;
  return magnitudes(sum) <= kMost ? kept : sum;
}

}  // namespace

ALSBENCH_FAST_WHERE_IT_CAN
void multiply_bytes(const Tile& a, const Tile& b, Tile& c) {
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 16; ++j)
        for (int e = 0; e < 4; ++e) c.words[i][j] += a.bytes[i][4 * k + e] * b.bytes[k][4 * j + e];
}

ALSBENCH_FAST_WHERE_IT_CAN
void multiply_bfloats(const Tile& a, const Tile& b, Tile& c) {
  Doubles right[16 / kLanes][32];  // columns of B
  for (int k = 0; k < 32; ++k)
    for (int j = 0; j < 16; ++j)
      right[j / kLanes][k][j % kLanes] = flushed(bfloat_to_float(b.bfloats[k / 2][2 * j + k % 2]));
  for (int i = 0; i < 16; ++i) {
    double left[32];
    for (int k = 0; k < 32; ++k) left[k] = flushed(bfloat_to_float(a.bfloats[i][k]));
    for (int64_t part = 0; part < 16 / kLanes; ++part) {
      float* const to = c.floats[i] + part * kLanes;
      Doubles sums[2] = {}, all;
      for (int k = 0; k < 32; ++k)
        sums[k % 2] = flushed_sums(left[k] * right[part][k], sums[k % 2]);
      for (int j = 0; j < kLanes; ++j) all[j] = flushed(to[j]);
      all = flushed_sums(all, flushed_sums(sums[0], sums[1]));
      for (int j = 0; j < kLanes; ++j) to[j] = static_cast<float>(all[j]);
    }
  }
}

}  // namespace alsbench::emulated_amx
