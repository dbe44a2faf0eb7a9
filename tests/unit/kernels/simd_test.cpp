// SPDX-License-Identifier: Apache-2.0
// The inner loops of every instruction set that this processor has, at every remainder length.
#include "kernels/cpu/simd/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/cpu/element.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench {

void PrintTo(const SimdKernels* kernels, std::ostream* stream) { *stream << kernels->name; }

namespace {

std::vector<float> ramp(int count) {
  std::vector<float> values(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7) - 2.5f;
  return values;
}

std::vector<const SimdKernels*> all_supported() {
  std::vector<const SimdKernels*> list;
  while (const SimdKernels* kernels = supported_simd(static_cast<int>(list.size())))
    list.push_back(kernels);
  return list;
}

class SimdTest : public ::testing::TestWithParam<const SimdKernels*> {
 protected:
  const SimdKernels& simd_ = *GetParam();
};

INSTANTIATE_TEST_SUITE_P(Sets, SimdTest, ::testing::ValuesIn(all_supported()),
                         [](const auto& set) { return std::string(set.param->name); });

TEST_P(SimdTest, DotAxpyAndScaleAddAtEveryLength) {
  for (int n = 1; n <= 40; ++n) {
    const std::vector<float> x = ramp(n);
    std::vector<float> y(x.size(), 1.0f);
    double expected = 0;
    for (const float value : x) expected += value * value;
    EXPECT_FLOAT_EQ(simd_.dot(x.data(), x.data(), n), static_cast<float>(expected)) << n;
    simd_.axpy(2.0f, x.data(), y.data(), n);
    EXPECT_FLOAT_EQ(y[n - 1], 1 + 2 * x[n - 1]);
    simd_.scale_add(x.data(), 3.0f, y.data(), n);
    EXPECT_FLOAT_EQ(y[n - 1], x[n - 1] + 3 * (1 + 2 * x[n - 1]));
  }
}

TEST_P(SimdTest, DigestIsOfEachWordInItsPlace) {
  std::vector<uint32_t> words(70);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint32_t>(mix64(i));
  for (const size_t at : {3, 20, 41}) words[at] = 0x7ff07c00u;  // a not-a-number of every type
  for (const Numbers numbers :
       {Numbers::other, Numbers::fp32, Numbers::fp16, Numbers::bf16, Numbers::fp64})
    for (int64_t count = 0; count <= 40; ++count)
      for (const int64_t first : {int64_t{0}, int64_t{1}, int64_t{1} << 33}) {
        Digest expected;
        for (int64_t i = 0; i < count; ++i) {
          expected.hash += hash_of_word(words[count + i - count / 3], first + i);
          expected.not_finite += not_finite_in(words[count + i - count / 3], first + i, numbers);
        }
        EXPECT_EQ(simd_.digest(&words[count - count / 3], first, count, numbers), expected)
            << count;
      }
}

TEST_P(SimdTest, ProductsOfRowsAtEveryRankAndCount) {
  for (int n = 1; n <= 40; ++n)
    for (const int count : {1, 7, 16, 35}) {
      const int ld = n + 3;
      const std::vector<float> g = ramp(count * ld), x = ramp(n);
      std::vector<float> y(static_cast<size_t>(count) + 1, -1.0f);
      simd_.row_products(g.data(), count, ld, x.data(), n, y.data());
      for (int i = 0; i < count; ++i) {
        float expected = 0;
        for (int j = 0; j < n; ++j) expected += g[i * ld + j] * x[j];
        EXPECT_FLOAT_EQ(y[i], expected) << n << " " << count;
      }
      EXPECT_EQ(y.back(), -1.0f);
    }
}

TEST_P(SimdTest, MatrixTimesVectorAtEveryRankInBothStorages) {
  for (int n = 1; n <= 40; ++n) {
    const std::vector<float> a = ramp(n * n), x = ramp(n);
    std::vector<uint16_t> half(a.size());
    simd_.to_half(a.data(), 1.0f, half.data(), n * n);
    std::vector<float> y(x.size()), y_half(x.size());
    simd_.multiply(a.data(), n, x.data(), y.data());
    simd_.multiply_half(half.data(), n, x.data(), y_half.data());
    for (int i = 0; i < n; ++i) {
      float expected = 0;
      for (int j = 0; j < n; ++j) expected += a[i * n + j] * x[j];
      EXPECT_FLOAT_EQ(y[i], expected) << n;
      EXPECT_FLOAT_EQ(y_half[i], expected) << n;  // the ramp is exact in half
    }
  }
}

TEST_P(SimdTest, UnpacksALowerTriangleAtEveryRank) {
  constexpr float kUnset = -1;
  for (int rank = 1; rank <= 40; ++rank) {
    const int64_t ld = rank_update_pitch(rank);
    std::vector<float> lower(rank_update_rows(rank) * ld, kUnset);
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j <= i; ++j) lower[i * ld + j] = static_cast<float>(100 * i + j);
    std::vector<float> whole(rank * rank + kWidestVector, kUnset);
    simd_.unpack_lower(lower.data(), ld, rank, whole.data());
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j < rank; ++j)
        ASSERT_EQ(whole[i * rank + j], 100 * std::max(i, j) + std::min(i, j))
            << "rank " << rank << ", row " << i << ", column " << j;
  }
}

TEST_P(SimdTest, StreamsFromAndToAnyAddress) {
  const std::vector<float> source = ramp(100);
  for (int64_t from = 0; from < 3; ++from)
    for (int64_t to = 0; to < 17; ++to) {
      std::vector<float> target(128, 9.0f);
      simd_.stream(source.data() + from, target.data() + to, 77);
      for (int64_t i = 0; i < 128; ++i)
        ASSERT_EQ(target[i], i < to || i >= to + 77 ? 9.0f : source[from + i - to]) << i;
    }
}

TEST_P(SimdTest, BytesAreTheNearestAndAtTheirPlaces) {
  constexpr float kWeight = 1.5f;
  for (int rank = 1; rank <= 40; ++rank) {
    const ByteFactors layout{rank};
    const std::vector<float> values = ramp(rank);
    const std::vector<float> inverses(values.size(), 21.0f);  // which takes some beyond 127
    std::vector<int8_t> bytes(64, 99);
    simd_.to_bytes(values.data(), kWeight, inverses.data(), rank, bytes.data());
    for (int i = 0; i < (rank + 15) / 16 * 16; ++i) {
      const int feature = layout.feature(i);
      const float level =
          feature < rank ? std::nearbyint(values[feature] * kWeight * inverses[feature]) : 0;
      EXPECT_EQ(bytes[i], std::clamp(level, -127.0f, 127.0f)) << "rank " << rank << ", " << i;
    }
  }
}

TEST_P(SimdTest, HalfRoundsToNearestEvenAndOverflowsToInfinity) {
  const std::vector<float> values{
      1.0f + 0x1p-11f, 1.0f + 3 * 0x1p-11f, 65504.0f, 70000.0f, 0x1p-24f, -2.0f, 0.0f, 1e-9f};
  const std::vector<float> expected{1.0f,     1.0f + 0x1p-9f, 65504.0f, INFINITY,
                                    0x1p-24f, -2.0f,          0.0f,     0.0f};
  for (size_t repeat = 1; repeat <= 5; ++repeat) {  // vectors and remainders
    std::vector<float> input, back;
    for (size_t r = 0; r < repeat; ++r) input.insert(input.end(), values.begin(), values.end());
    const int count = static_cast<int>(input.size()) - 1;
    std::vector<uint16_t> half(input.size());
    back.resize(input.size());
    simd_.to_half(input.data(), 1.0f, half.data(), count);
    simd_.from_half(half.data(), back.data(), count);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(back[i], expected[i % expected.size()]) << i;
      EXPECT_EQ(half[i], float_to_half(input[i])) << i;
    }
  }
}

TEST_P(SimdTest, RankUpdateAddsTheLowerTriangleInEveryTile) {
  for (const int tile : {4, 6, 8, 12})
    for (const int rank : {1, 5, 16, 31, 33, 100}) {
      constexpr int kCount = 9;
      const int64_t ld = rank_update_pitch(rank);
      std::vector<float> g(static_cast<size_t>(kCount * ld), 0.0f);
      for (int k = 0; k < kCount; ++k)
        for (int i = 0; i < rank; ++i) g[k * ld + i] = static_cast<float>((k + 2 * i) % 5) - 1.5f;
      std::vector<float> c(static_cast<size_t>(rank_update_rows(rank) * ld), 7.0f);
      ASSERT_TRUE(simd_.rank_update({tile, 2}, g.data(), 4, rank, ld, c.data(), false));
      ASSERT_TRUE(
          simd_.rank_update({tile, 2}, g.data() + 4 * ld, kCount - 4, rank, ld, c.data(), true));
      for (int i = 0; i < rank; ++i)
        for (int j = 0; j <= i; ++j) {
          float expected = 0;  // exact: quarters
          for (int k = 0; k < kCount; ++k) expected += g[k * ld + i] * g[k * ld + j];
          ASSERT_EQ(c[i * ld + j], expected) << tile << " " << rank << " " << i << " " << j;
        }
    }
}

TEST_P(SimdTest, AddsProductsWithRowsAtEveryCount) {
  constexpr int64_t kLd = 2 * kWidestVector;
  const std::vector<float> v = ramp(kLd), b = ramp(40);
  for (int count = 0; count <= 40; ++count) {
    const std::vector<float> g = ramp(count * kLd);
    std::vector<float> products(kLd, 1.0f), residual(kLd, 1.0f);
    simd_.add_products(g.data(), count, kLd, v.data(), nullptr, products.data());
    simd_.add_products(g.data(), count, kLd, v.data(), b.data(), residual.data());
    std::vector<float> weights(count);
    for (int k = 0; k < count; ++k)
      for (int64_t i = 0; i < kLd; ++i) weights[k] += g[k * kLd + i] * v[i];
    for (int64_t i = 0; i < kLd; ++i) {
      float expected = 1, expected_residual = 1;  // exact: multiples of 1/8
      for (int k = 0; k < count; ++k) {
        expected += weights[k] * g[k * kLd + i];
        expected_residual += (b[k] - weights[k]) * g[k * kLd + i];
      }
      ASSERT_EQ(products[i], expected) << count << " " << i;
      ASSERT_EQ(residual[i], expected_residual) << count << " " << i;
    }
  }
}

TEST_P(SimdTest, AddsSquaresOfProductsWithRowsAtEveryCount) {
  constexpr int64_t kLd = 2 * kWidestVector;
  const std::vector<float> v = ramp(kLd);
  for (int count = 0; count <= 40; ++count) {
    const std::vector<float> g = ramp(count * kLd);
    double expected = 3;  // exact: multiples of 1/16
    for (int k = 0; k < count; ++k) {
      double product = 0;
      for (int64_t i = 0; i < kLd; ++i) product += double{g[k * kLd + i]} * v[i];
      expected += product * product;
    }
    ASSERT_EQ(simd_.add_squares(g.data(), count, kLd, v.data(), 3), expected) << count;
    const int first = count / 8 * 4;  // whole groups
    const double part = simd_.add_squares(g.data(), first, kLd, v.data(), 3);
    ASSERT_EQ(simd_.add_squares(g.data() + first * kLd, count - first, kLd, v.data(), part),
              expected)
        << count;
  }
}

// A system of solve_cholesky that is exact in float: U has 1, 2, 1, ... on its diagonal and -1, 0
// and 1 next to it, and b is that of x = 1, 2, 3, 1, ...
struct ExactSystem {
  explicit ExactSystem(int rank)
      : ld(cholesky_pitch(rank)), memory(cholesky_rows(rank) * ld, 0.0f) {
    const auto u = [](int i, int j) { return i == j ? 1 + i % 2 : 1 - (i + 2 * j) % 3; };
    for (int i = 0; i < rank; ++i) {
      double b = 0;
      for (int j = 0; j < rank; ++j) {
        int sum = 0;
        for (int k = 0; k <= std::min(i, j); ++k) sum += u(k, i) * u(k, j);
        memory[i * ld + j] = static_cast<float>(sum);
        b += static_cast<double>(sum) * x(j);
      }
      memory[i * ld + cholesky_rows(rank)] = static_cast<float>(b);
    }
    for (int64_t i = rank; i < cholesky_rows(rank); ++i) memory[i * ld + i] = 1;
  }
  static float x(int i) { return static_cast<float>(1 + i % 3); }

  int64_t ld;
  std::vector<float> memory;
};

TEST_P(SimdTest, SolvesByCholeskyAtEveryRank) {
  for (int rank = 1; rank <= 70; ++rank) {
    ExactSystem system(rank);
    std::vector<float> x(system.ld, NAN);
    ASSERT_EQ(simd_.solve_cholesky(system.memory.data(), rank, x.data()), 0) << rank;
    for (int i = 0; i < rank; ++i) ASSERT_EQ(x[i], ExactSystem::x(i)) << rank << " " << i;
  }
}

TEST_P(SimdTest, CholeskyNamesTheFirstPivotThatIsNotPositive) {
  constexpr int kRank = 37;
  for (const float fault : {1e6f, NAN})
    for (int pivot = 1; pivot <= kRank; ++pivot) {
      ExactSystem system(kRank);
      float& diagonal = system.memory[(pivot - 1) * (system.ld + 1)];
      diagonal -= fault;
      std::vector<float> x(system.ld);
      ASSERT_EQ(simd_.solve_cholesky(system.memory.data(), kRank, x.data()), pivot) << fault;
    }
}

TEST_P(SimdTest, UnknownTilesAreRefused) {
  EXPECT_FALSE(simd_.rank_update({7, 3}, nullptr, 0, 1, 16, nullptr, false));
}

}  // namespace
}  // namespace alsbench
