// SPDX-License-Identifier: Apache-2.0
// Tests of the reference of factors as bytes: ratings as two bytes have them, and how far sums may
// be off.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "harness/stage/als/reference_rows.h"
#include "harness/stage/tolerance.h"
#include "kernels/shared/views.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

float rounded(Scalar type, float rating, float half_scale) {
  std::vector<float> ratings{rating};
  round_ratings(type, half_scale, ratings);
  return ratings.front();
}

TEST(RatingsAsBytes, HalvesUpToAHundredAreExact) {
  const float half_scale = std::bit_cast<float>(half_scale_bits(std::bit_cast<uint32_t>(100.0f)));
  for (int i = -200; i <= 200; ++i)
    for (const Scalar type : {Scalar::int8, Scalar::fp8}) {
      const float rating = static_cast<float>(i) / 2;
      EXPECT_EQ(rounded(type, rating, half_scale), rating) << name_of(type);
    }
}

TEST(RatingsAsBytes, OthersHaveNineBitsInE4m3AndFourteenOfTheLargestAsIntegers) {
  const float half_scale = std::bit_cast<float>(half_scale_bits(std::bit_cast<uint32_t>(5.0f)));
  for (int i = 1; i <= 500; ++i) {
    const float rating = 0.01f * static_cast<float>(i);
    EXPECT_NEAR(rounded(Scalar::fp8, rating, half_scale), rating, rating * 0x1p-9f);
    EXPECT_NEAR(rounded(Scalar::int8, rating, half_scale), rating, 8 * 0x1p-15f);
  }
}

TEST(RowTolerance, FactorsInE4m3HaveThatOfTheirSums) {
  const Variant& variant = variant_named(&stages::normal_equations, "mma", Backend::cuda);
  const auto tolerance = [&](const char* config, int64_t ratings, int architecture) {
    return row_tolerance(variant.space.parse(config), ratings, architecture);
  };
  // No rounding of the factors is in it, nor of the ratings.
  EXPECT_LT(tolerance("factors=fp8", 100, 120), 1e-5);
  EXPECT_LT(tolerance("factors=int8", 100, 120), tolerance("factors=fp8", 100, 120));
  EXPECT_EQ(tolerance("factors=int8", 100, 89), tolerance("factors=int8", 100, 120));
  // sm_89 cuts off more, the more ratings a piece has.
  EXPECT_NEAR(tolerance("factors=fp8", 100, 89) - short_sum_tolerance(100),
              tolerance("factors=fp8", 100, 120) - truncation_tolerance(100), 1e-15);
  EXPECT_LT(tolerance("factors=fp8,chunk=1024", 100000, 89),
            tolerance("factors=fp8,chunk=8192", 100000, 89) / 4);
}

}  // namespace
}  // namespace alsbench
