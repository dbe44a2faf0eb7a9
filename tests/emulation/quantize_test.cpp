// SPDX-License-Identifier: Apache-2.0
// Factors as bytes on emulated threads: the scales, and every byte the nearest one to its factor.
#include <gtest/gtest.h>

#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/mma/byte_stream.cuh"
// the CPU's
#include "kernels/cpu/quantize.h"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;
using emulated::value_of_byte;

Int8 nearest(Int8, float quotient) { return {static_cast<int8_t>(std::nearbyint(quotient))}; }
Fp8 nearest(Fp8, float quotient) { return {float_to_e4m3(quotient)}; }

template <typename Byte>
void check(int rank) {
  SCOPED_TRACE(rank);
  Problem problem(rank, {1}, 50);
  problem.spread_features();
  for (size_t i = 0; i < problem.factors.size(); i += 3) problem.factors[i] *= -1e-2f;
  for (int row = 0; row < problem.cols; ++row) problem.factors[row * problem.pitch] = 0;
  const std::vector<float> before = problem.factors;
  problem.store_factors_as_bytes<false, Byte>();
  const ByteFactors layout{rank};
  const auto* scales = reinterpret_cast<const float*>(problem.stored_factors.data());
  EXPECT_EQ(scales[layout.columns() - 2], Byte::kRatingHigh);
  EXPECT_EQ(scales[layout.columns() - 1], Byte::kRatingLow);
  for (int i = 0; i < rank; ++i) {
    float largest = 0;
    for (int row = 0; row < problem.cols; ++row)
      largest = std::max(largest, std::abs(before[row * problem.pitch + i]));
    EXPECT_EQ(scales[i], largest / Byte::kLargest) << i;
    const float inverse = largest > 0 ? Byte::kLargest / largest : 0;
    for (int row = 0; row < problem.cols; ++row) {
      const Byte byte = nearest(Byte{}, before[row * problem.pitch + i] * inverse);
      EXPECT_EQ(problem.factors[row * problem.pitch + i], scales[i] * value_of_byte(byte))
          << "row " << row << ", feature " << i;
    }
  }
}

TEST(Quantized, EveryByteIsTheNearest) {
  for (const int rank : {1, 8, 33, 100, 128}) {
    check<Int8>(rank);
    check<Fp8>(rank);
  }
}

// The CPU makes the same bytes, with weights and without.
TEST(Quantized, TheCpusCopyIsThatOfTheGpu) {
  for (const int rank : {1, 8, 17, 33, 100, 256})
    for (const bool weighted : {false, true}) {
      Int8Weights weights;
      if (weighted) weights = {3, {0.5f, 2, 1.25f}};
      Problem problem(rank, {1}, 40);
      problem.spread_features();
      for (size_t i = 0; i < problem.factors.size(); i += 3) problem.factors[i] *= -1e-2f;
      const std::vector<float> factors = problem.factors;
      const FactorsView source = problem.factors_view();
      const ByteFactors layout{rank};
      std::vector<char> copy(static_cast<size_t>(layout.bytes(source.rows * weights.count)));
      std::vector<float> values = factors;
      const QuantizeParams p{
          copy.data(), {values.data(), source.rows, rank, source.pitch}, 0, weights};
      find_largest(p, 2);
      quantize_factors(p, 2);
      if (weighted)
        problem.store_factors_as_bytes<true>(weights);
      else
        problem.store_factors_as_bytes();
      EXPECT_EQ(copy, problem.stored_factors) << "rank " << rank << ", weighted " << weighted;
    }
}

// The largest is kept to the bit of its byte, and what is far smaller has the same precision.
TEST(Quantized, E4m3HasFourBitsOverAWideRange) {
  Problem problem(1, {1}, 20);
  for (int row = 0; row < problem.cols; ++row)
    problem.factors[row * problem.pitch] = std::ldexp(7.0f, -row);
  const std::vector<float> before = problem.factors;
  problem.store_factors_as_bytes<false, Fp8>();
  for (int row = 0; row < 14; ++row)
    EXPECT_EQ(problem.factors[row * problem.pitch], before[row * problem.pitch]) << row;
}

// Both bytes of a scaled rating together; what they miss of it.
template <typename Byte>
float missed(float rating) {
  const RatingBytes<Byte> bytes(rating);
  const auto value = [](uint32_t bits) {
    return value_of_byte(Byte{static_cast<decltype(Byte::bits)>(bits)});
  };
  return Byte::kRatingHigh * value(bytes.high()) + Byte::kRatingLow * value(bytes.low()) - rating;
}

TEST(Quantized, TwoBytesOfARating) {
  for (int i = -4000; i <= 4000; ++i) {
    const float rating = 8.191f * static_cast<float>(i);
    EXPECT_LE(std::abs(missed<Int8>(rating)), 1) << rating;
    EXPECT_LE(std::abs(missed<Fp8>(rating)), std::abs(rating) * 0x1p-9f) << rating;
  }
  for (int whole = -511; whole <= 511; ++whole)
    EXPECT_EQ(missed<Fp8>(static_cast<float>(64 * whole)), 0) << whole;
}

}  // namespace
}  // namespace alsbench
