// SPDX-License-Identifier: Apache-2.0
// Which cells of a row a subsample takes.
#include <gtest/gtest.h>

#include <array>

#include "kernels/shared/params/start.h"

namespace alsbench {
namespace {

SubsampledRow row_of(int64_t count, int64_t taken, uint64_t seed) {
  const std::array<int64_t, 2> whole{0, count}, offsets{0, taken};
  SubsampleParams params;
  params.ratings.offsets = whole.data();
  params.offsets = offsets.data();
  params.seed = seed;
  return {params, 0};
}

TEST(SubsampledRow, RoundsDownExactlyWhateverTheLength) {
  for (const int64_t count : {1, 2, 3, 49, 1000, 1001, 232944, 100000007})
    for (const int64_t taken : {int64_t{1}, count / 4, count / 3, count - 1, count})
      for (const uint64_t seed : {1, 2, 3}) {
        if (taken < 1) continue;
        const SubsampledRow row = row_of(count, taken, seed);
        ASSERT_LT(row.phase, count);
        const int64_t stride = std::max<int64_t>(1, taken / 1000);
        for (int64_t i = 0; i < taken; i += stride)
          ASSERT_EQ(row.place(i), (i * count + row.phase) / taken) << count << " " << taken;
        ASSERT_EQ(row.place(taken - 1), ((taken - 1) * count + row.phase) / taken);
        ASSERT_LT(row.place(taken - 1), count);
      }
}

TEST(SubsampledRow, OfAllCellsIsAllOfThem) {
  const SubsampledRow row = row_of(1000, 1000, 5);
  for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(row.place(i), i);
}

}  // namespace
}  // namespace alsbench
