// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the generator of synthetic ratings: counter-based random numbers, the choice of a
// row's items, and rating values. The CPU generator (harness/data) and the CUDA one
// (kernels/cuda/generate) call these same functions and must agree bit for bit: so integers
// wherever possible, FP32 in one fixed order, and no fused multiply-add (the host box is compiled
// with -ffp-contract=off).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

inline constexpr int kPlantedRank = 16;  // of the hidden x . theta behind the values

// Purpose of a random number; part of its counter.
enum class Stream : uint64_t {
  pick = 1,
  noise,
  user_bias,
  item_bias,
  user_factor,
  item_factor,
  permute_users,
  permute_items,
  split,
  settle,
  shuffle,
  shuffle_runs,
};

// A bijection of 64-bit words whose output looks random (the finaliser of SplitMix64; Steele, Lea,
// Flood 2014).
ALSBENCH_HOST_DEVICE inline uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

ALSBENCH_HOST_DEVICE inline uint64_t stream_key(uint64_t seed, Stream stream) {
  return mix64(mix64(seed) ^ (static_cast<uint64_t>(stream) << 56));
}

// The random word of counter (a, b) of a stream.
ALSBENCH_HOST_DEVICE inline uint64_t random_word(uint64_t key, uint64_t a, uint64_t b) {
  return mix64(mix64(key ^ a) + b * 0xd1342543de82ef95ull);
}

// The high 64 bits of a * b.
ALSBENCH_HOST_DEVICE inline uint64_t multiply_high(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

ALSBENCH_HOST_DEVICE inline float multiply_rounded(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

ALSBENCH_HOST_DEVICE inline float add_rounded(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

// Approximately normal, mean 0, variance 1: the sum of four uniform 16-bit integers (Irwin-Hall),
// exact until the one final multiplication. |z| < 3.47.
ALSBENCH_HOST_DEVICE inline float normal_of(uint64_t word) {
  const int32_t sum =
      static_cast<int32_t>(word & 0xffff) + static_cast<int32_t>((word >> 16) & 0xffff) +
      static_cast<int32_t>((word >> 32) & 0xffff) + static_cast<int32_t>(word >> 48);
  constexpr float kInverseStddev = 2.6429e-5f;  // 1 / sqrt(4 (65536^2 - 1) / 12)
  return multiply_rounded(static_cast<float>(sum - 131070), kInverseStddev);
}

// Items in descending order of weight; cumulative[j] is the sum of the weights before item j.
struct ItemWeights {
  const int64_t* cumulative = nullptr;  // items + 1
  const int32_t* guide = nullptr;       // guide[p >> guide_shift]: the item that holds the first
                                        // position of that bucket; one bucket more than used
  int32_t guide_shift = 0;
  int32_t items = 0;                // with a weight above zero
  const int32_t* prefix = nullptr;  // prefix[k]: items that every row of k ratings holds
};

// The item whose weight covers `position` of [0, cumulative[items]).
ALSBENCH_HOST_DEVICE inline int32_t item_at(const ItemWeights& weights, int64_t position) {
  const int64_t bucket = position >> weights.guide_shift;
  int32_t low = weights.guide[bucket];
  int32_t high = weights.guide[bucket + 1] + 1;
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (weights.cumulative[middle] <= position) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// Stratum `i` of a row of k ratings whose first `fixed` items are always included: the rest of the
// cumulative weight is cut into k - fixed strata of equal width, and each gives one item.
struct Stratum {
  int64_t begin = 0;
  int64_t end = 0;
};

ALSBENCH_HOST_DEVICE inline Stratum stratum_of(const ItemWeights& weights, int32_t fixed,
                                               int64_t strata, int64_t i) {
  const int64_t base = weights.cumulative[fixed];
  const int64_t total = weights.cumulative[weights.items] - base;
  const int64_t width = total / strata;
  const int64_t rest = total % strata;
  return {base + i * width + i * rest / strata, base + (i + 1) * width + (i + 1) * rest / strata};
}

// The item that stratum `i` gives row `user`. An item spans at most two strata, so a repeat of the
// previous stratum's item is avoided by drawing from what follows that item.
ALSBENCH_HOST_DEVICE inline int32_t pick_item(const ItemWeights& weights, const Stratum& stratum,
                                              uint64_t word, int32_t previous) {
  const uint64_t width = static_cast<uint64_t>(stratum.end - stratum.begin);
  const int32_t item =
      item_at(weights, stratum.begin + static_cast<int64_t>(multiply_high(word, width)));
  if (item != previous) return item;
  const int64_t begin = weights.cumulative[previous + 1];
  const uint64_t rest = static_cast<uint64_t>(stratum.end - begin);
  return item_at(weights, begin + static_cast<int64_t>(multiply_high(mix64(word), rest)));
}

// The scale and the parts of a rating: clip(mean + user bias + item bias + x . theta + noise),
// rounded to a step.
struct ValueModel {
  float minimum = 1;
  float step = 1;
  float inverse_step = 1;
  int32_t levels = 4;  // steps from the minimum to the maximum
  float mean = 3.5f;
  float user_bias = 0;  // standard deviations
  float item_bias = 0;
  float factor = 0;  // of one element of x and of theta
  float noise = 0;
  uint64_t seed = 0;
};

// The hidden taste of a user, or nature of an item.
struct Latent {
  float bias = 0;
  float factors[kPlantedRank] = {};
};

ALSBENCH_HOST_DEVICE inline Latent latent_user(const ValueModel& model, uint64_t user) {
  Latent latent;
  latent.bias = multiply_rounded(
      model.user_bias, normal_of(random_word(stream_key(model.seed, Stream::user_bias), user, 0)));
  const uint64_t key = stream_key(model.seed, Stream::user_factor);
  for (int i = 0; i < kPlantedRank; ++i) {
    latent.factors[i] =
        multiply_rounded(model.factor, normal_of(random_word(key, user, static_cast<uint64_t>(i))));
  }
  return latent;
}

ALSBENCH_HOST_DEVICE inline Latent latent_item(const ValueModel& model, uint64_t item) {
  Latent latent;
  latent.bias = multiply_rounded(
      model.item_bias, normal_of(random_word(stream_key(model.seed, Stream::item_bias), item, 0)));
  const uint64_t key = stream_key(model.seed, Stream::item_factor);
  for (int i = 0; i < kPlantedRank; ++i) {
    latent.factors[i] =
        multiply_rounded(model.factor, normal_of(random_word(key, item, static_cast<uint64_t>(i))));
  }
  return latent;
}

// The rating before noise, clipping and rounding: what a perfect model would know.
ALSBENCH_HOST_DEVICE inline float signal_of(const ValueModel& model, const Latent& user,
                                            const Latent& item) {
  float sum = add_rounded(add_rounded(model.mean, user.bias), item.bias);
  for (int i = 0; i < kPlantedRank; ++i) {
    sum = add_rounded(sum, multiply_rounded(user.factors[i], item.factors[i]));
  }
  return sum;
}

// The level (steps above the minimum) nearest to `value` on the scale.
ALSBENCH_HOST_DEVICE inline int32_t level_of(const ValueModel& model, float value) {
  const float steps =
      add_rounded(multiply_rounded(add_rounded(value, -model.minimum), model.inverse_step), 0.5f);
  if (!(steps > 0)) return 0;
  if (steps >= static_cast<float>(model.levels)) return model.levels;
  return static_cast<int32_t>(steps);
}

ALSBENCH_HOST_DEVICE inline float value_at_level(const ValueModel& model, int32_t level) {
  return add_rounded(model.minimum, multiply_rounded(static_cast<float>(level), model.step));
}

ALSBENCH_HOST_DEVICE inline float rating_value(const ValueModel& model, float signal, uint64_t user,
                                               uint64_t item) {
  const uint64_t word = random_word(stream_key(model.seed, Stream::noise), user, item);
  const float noisy = add_rounded(signal, multiply_rounded(model.noise, normal_of(word)));
  return value_at_level(model, level_of(model, noisy));
}

}  // namespace alsbench
