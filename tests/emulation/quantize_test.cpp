// SPDX-License-Identifier: Apache-2.0
// Factors as bytes on emulated threads: the scales, and every byte the nearest one to its factor.
#include <gtest/gtest.h>

#include <utility>
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

// Rows `after` of a copy whose scales are those of the rows `before`, with headroom.
struct Carried {
  std::vector<char> copy;
  CarriedScales carried{};

  Carried(const FactorsView& before, const FactorsView& after, ByteScales scales, bool on_cpu) {
    copy.assign(static_cast<size_t>(ByteFactors{before.rank}.bytes(before.rows)), 0);
    const CarryScalesParams carry{copy.data(), before.rank, &carried};
    const QuantizeParams stored{
        .target = copy.data(), .source = after, .scales = scales, .carried = &carried};
    find_largest({copy.data(), before}, 2);
    constexpr int kThreads = 96;
    if (on_cpu)
      carry_scales(carry);
    else
      emulation::launch(1, kThreads, false, [&] { carry_scales<kThreads>(carry); });
    find_largest({copy.data(), after}, 2);
    if (on_cpu)
      quantize_factors(stored, 2);
    else
      emulation::launch(3, kThreads, false, [&] { quantize_factors<kThreads>(stored); });
  }
  float scale(int feature) const { return reinterpret_cast<const float*>(copy.data())[feature]; }
};

// Carried scales stay while every feature's largest magnitude is near that of before.
TEST(Quantized, CarriedScalesStayWhereTheySuitTheRows) {
  constexpr int kRank = 33, kFeature = 20;
  for (const auto& [growth, suits] :
       {std::pair{1.0f, true}, {1.12f, true}, {0.85f, true}, {1.13f, false}, {0.83f, false}}) {
    SCOPED_TRACE(growth);
    Problem problem(kRank, {1}, 40);
    problem.spread_features();
    std::vector<float> values = problem.factors;
    for (int row = 0; row < problem.cols; ++row) values[row * problem.pitch + kFeature] *= growth;
    const FactorsView before = problem.factors_view();
    FactorsView after = before;
    after.data = values.data();
    const auto stored = [&](ByteScales scales) {
      Carried gpu(before, after, scales, false);
      EXPECT_EQ(gpu.copy, Carried(before, after, scales, true).copy);
      return gpu;
    };
    const Carried own = stored(ByteScales::own), carried = stored(ByteScales::carried);
    EXPECT_FLOAT_EQ(carried.scale(0), CarriedScales::kHeadroom * own.scale(0));
    EXPECT_EQ(stored(ByteScales::suitable).copy, suits ? carried.copy : own.copy);
    EXPECT_EQ(stored(ByteScales::renewed).scale(0), suits ? 0 : own.scale(0));
  }
}

// Two members with half of the rows each tell each other what is largest, and have the scales of
// all.
TEST(Quantized, MembersShareTheirLargestMagnitudes) {
  constexpr int kThreads = 96, kRank = 33, kRows = 40;
  Problem problem(kRank, {1}, kRows);
  problem.spread_features();
  const FactorsView all = problem.factors_view();
  std::vector<char> expected(static_cast<size_t>(ByteFactors{kRank}.bytes(kRows)));
  find_largest({expected.data(), all}, 2);
  quantize_factors({expected.data(), all}, 2);
  for (const bool on_cpu : {false, true}) {
    std::vector<std::vector<char>> copies(2, std::vector<char>(expected.size()));
    std::vector<SharedLargest> shared(2);
    const auto rows_of = [&](int member) {
      FactorsView rows = all;
      rows.rows = kRows / 2;
      rows.data = problem.factors.data() + member * rows.rows * rows.pitch;
      return rows;
    };
    for (int member = 0; member < 2; ++member) {
      find_largest({copies[member].data(), rows_of(member)}, 2);
      const ShareLargestParams p{copies[member].data(), kRank, member, 2, {&shared[0], &shared[1]}};
      if (on_cpu)
        share_largest(p);
      else
        emulation::launch(1, kThreads, false, [&] { share_largest<kThreads>(p); });
    }
    for (int member = 0; member < 2; ++member) {
      const QuantizeParams p{.target = copies[member].data(),
                             .source = rows_of(member),
                             .first_row = member * kRows / 2,
                             .elsewhere = {1, {copies[1 - member].data()}},
                             .shared = &shared[member],
                             .members = 2};
      if (on_cpu)
        quantize_factors(p, 2);
      else
        emulation::launch(3, kThreads, false,
                          [&] { quantize_factors<kThreads, false, Int8, true>(p); });
    }
    EXPECT_EQ(copies[0], expected) << (on_cpu ? "CPU" : "emulated");
    EXPECT_EQ(copies[1], expected) << (on_cpu ? "CPU" : "emulated");
  }
}

// Rows that other devices get, too, are those of the copy, in their places alone.
TEST(Quantized, RowsElsewhereAreTheSame) {
  constexpr int kThreads = 96;
  for (const int rank : {1, 33, 100}) {
    SCOPED_TRACE(rank);
    Problem problem(rank, {1}, 40);
    problem.spread_features();
    const ByteFactors layout{rank};
    const int64_t first_row = 7, bytes = layout.bytes(first_row + problem.cols + 1);
    const auto zeros = std::vector<char>(static_cast<size_t>(bytes));
    for (const bool on_cpu : {false, true}) {
      std::vector<char> copy = zeros, one = zeros, other = zeros;
      const QuantizeParams p{
          copy.data(), problem.factors_view(), first_row, {}, {2, {one.data(), other.data()}}};
      find_largest(p, 2);
      if (on_cpu)
        quantize_factors(p, 2);
      else
        emulation::launch(3, kThreads, false,
                          [&] { quantize_factors<kThreads, false, Int8, true>(p); });
      std::vector<char> rows = copy;  // without its scales and largest magnitudes
      std::fill_n(rows.begin(), layout.rows_at(), char{0});
      EXPECT_NE(rows, zeros);
      EXPECT_EQ(one, rows);
      EXPECT_EQ(other, rows);
    }
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
