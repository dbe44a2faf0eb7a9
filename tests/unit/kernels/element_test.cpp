// SPDX-License-Identifier: Apache-2.0
// Conversions to the element types. To IEEE half there are the compiler's and those of every
// instruction set, which agree.
#include "kernels/cpu/element.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

// The definition of IEEE 754 binary16.
float float_of(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                  : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, EveryHalfSurvivesTheWayThroughFloat) {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = float_of(half);
    const float converted = half_to_float(half);
    ASSERT_TRUE(converted == value || std::isnan(value)) << bits;
    ASSERT_EQ(std::isnan(converted), std::isnan(value)) << bits;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_of(float_to_half(value))));
      continue;
    }
    ASSERT_EQ(float_to_half(value), half) << value;
  }
}

TEST(Half, HalfwayGoesToTheEvenNeighbour) {
  for (int bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<uint16_t>(bits), high = static_cast<uint16_t>(bits + 1);
    const float middle = (float_of(low) + float_of(high)) / 2;
    const uint16_t even = bits % 2 == 0 ? low : high;
    ASSERT_EQ(float_to_half(middle), even) << middle;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), low) << middle;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9f)), high) << middle;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000) << middle;
  }
}

TEST(Half, OverflowBecomesInfinity) {
  EXPECT_EQ(float_to_half(65504.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65519.9f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(-1e30f), 0xfc00);
  EXPECT_EQ(float_to_half(1e-30f), 0);
}

TEST(Half, EveryInstructionSetAgreesAtEveryLength) {
  std::vector<float> source;
  for (int i = 0; i < 1003; ++i)
    source.push_back(std::ldexp(1.0f + 0.001f * static_cast<float>(i), i % 60 - 35));
  for (int set = 0; const SimdKernels* simd = supported_simd(set); ++set)
    for (const int count : {0, 1, 7, 8, 9, 1003}) {
      std::vector<uint16_t> target(1003, 0xaaaa);
      simd->to_half(source.data(), 1, target.data(), count);
      for (int i = 0; i < 1003; ++i)
        ASSERT_EQ(target[i], i < count ? float_to_half(source[i]) : 0xaaaa)
            << simd->name << ": " << i << " of " << count;
    }
}

TEST(Bfloat, EveryOneSurvivesTheWayThroughFloat) {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto bfloat = static_cast<uint16_t>(bits);
    const float value = bfloat_to_float(bfloat);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(bfloat_to_float(float_to_bfloat(value)))) << bits;
    else
      ASSERT_EQ(float_to_bfloat(value), bfloat);
  }
}

TEST(Bfloat, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(bfloat_to_float(float_to_bfloat(1 + 0x1p-8f)), 1.0f);
  EXPECT_EQ(bfloat_to_float(float_to_bfloat(1 + 0x3p-8f)), 1 + 0x1p-6f);
  EXPECT_EQ(bfloat_to_float(float_to_bfloat(-1 - 0x1.02p-8f)), -1 - 0x1p-7f);
  EXPECT_TRUE(std::isinf(bfloat_to_float(float_to_bfloat(3.4e38f))));
}

TEST(Tf32, KeepsElevenBitsAndRoundsTiesAwayFromZero) {
  EXPECT_EQ(round_to_tf32(1 + 0x1p-10f), 1 + 0x1p-10f);
  EXPECT_EQ(round_to_tf32(1 + 0x1p-11f), 1 + 0x1p-10f);
  EXPECT_EQ(round_to_tf32(-1 - 0x1p-11f), -1 - 0x1p-10f);
  EXPECT_EQ(round_to_tf32(1 + 0x1.fp-12f), 1.0f);
  EXPECT_EQ(round_to_tf32(65520.0f), 65536.0f);  // no overflow where a half has one
  EXPECT_TRUE(std::isnan(round_to_tf32(std::nanf(""))));
}

// Of all bytes that are numbers, in order of their values.
std::vector<std::pair<float, uint8_t>> all_e4m3() {
  std::vector<std::pair<float, uint8_t>> all;
  for (int bits = 0; bits < 256; ++bits)
    if ((bits & 0x7f) != 0x7f && bits != 0x80)
      all.emplace_back(e4m3_to_float(static_cast<uint8_t>(bits)), static_cast<uint8_t>(bits));
  std::sort(all.begin(), all.end());
  return all;
}

TEST(E4m3, EveryByteIsTheNumberOfItsFields) {
  EXPECT_EQ(e4m3_to_float(0x00), 0);
  EXPECT_EQ(e4m3_to_float(0x01), 0x1p-9f);
  EXPECT_EQ(e4m3_to_float(0x07), 7 * 0x1p-9f);
  EXPECT_EQ(e4m3_to_float(0x08), 0x1p-6f);
  EXPECT_EQ(e4m3_to_float(0x38), 1);
  EXPECT_EQ(e4m3_to_float(0xbc), -1.5f);
  EXPECT_EQ(e4m3_to_float(0x7e), 448);
  for (const uint8_t nan : {0x7f, 0xff}) EXPECT_TRUE(std::isnan(e4m3_to_float(nan)));
  for (int bits = 0; bits < 256; ++bits) {
    const auto byte = static_cast<uint8_t>(bits);
    EXPECT_EQ(float_to_e4m3(e4m3_to_float(byte)), bits == 0xff ? 0x7f : byte) << bits;
  }
  const auto all = all_e4m3();
  ASSERT_EQ(all.size(), 253u);
  for (size_t i = 0; i + 1 < all.size(); ++i) EXPECT_LT(all[i].first, all[i + 1].first);
}

TEST(E4m3, NumbersBetweenGoToTheNearestAndTiesToTheEven) {
  const auto all = all_e4m3();
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const auto [low, low_bits] = all[i];
    const auto [high, high_bits] = all[i + 1];
    const float middle = (low + high) / 2;
    const uint8_t even = low_bits % 2 == 0 ? low_bits : high_bits;
    EXPECT_EQ(e4m3_to_float(float_to_e4m3(middle)), e4m3_to_float(even)) << middle;
    EXPECT_EQ(e4m3_to_float(float_to_e4m3(std::nextafter(middle, -1e9f))), low) << middle;
    EXPECT_EQ(e4m3_to_float(float_to_e4m3(std::nextafter(middle, 1e9f))), high) << middle;
  }
}

TEST(E4m3, WhatIsBeyondTheLargestIsThat) {
  for (const float value :
       {448.0f, 464.0f, 480.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(float_to_e4m3(value), 0x7e) << value;
    EXPECT_EQ(float_to_e4m3(-value), 0xfe) << value;
  }
  EXPECT_EQ(float_to_e4m3(std::numeric_limits<float>::quiet_NaN()), 0x7f);
  EXPECT_EQ(float_to_e4m3(0x1p-10f), 0);  // half of the smallest: a tie
  EXPECT_EQ(float_to_e4m3(std::nextafter(0x1p-10f, 1.0f)), 1);
  EXPECT_EQ(float_to_e4m3(1e-30f), 0);
}

}  // namespace
}  // namespace alsbench
