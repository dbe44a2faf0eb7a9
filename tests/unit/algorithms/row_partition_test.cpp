// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/row_partition.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace alsbench {
namespace {

using Rows = std::vector<int64_t>;

Array<int64_t> offsets_of(const Rows& lengths) {
  Rows offsets{0};
  for (const int64_t length : lengths) offsets.push_back(offsets.back() + length);
  return Array<int64_t>(offsets);
}

TEST(Partition, HalvesTheRatingsAndNotTheRows) {
  EXPECT_EQ(partition_rows(offsets_of({6, 2, 2, 2}), {.members = 2}), (Rows{0, 1, 4}));
  EXPECT_EQ(partition_rows(offsets_of({2, 2, 2, 2}), {.members = 2}), (Rows{0, 2, 4}));
}

TEST(Partition, CountsWhatARowCostsBesideItsRatings) {
  EXPECT_EQ(partition_rows(offsets_of({6, 2, 2, 2}), {.members = 2, .row_cost = 100}),
            (Rows{0, 2, 4}));
}

TEST(Partition, BeginsAtMultiplesOfTheStep) {
  EXPECT_EQ(partition_rows(offsets_of({9, 1, 1, 1, 1, 1}), {.members = 2, .step = 2}),
            (Rows{0, 2, 6}));
  EXPECT_EQ(partition_rows(offsets_of({1, 1, 1, 1, 1}), {.members = 2, .step = 4}),
            (Rows{0, 4, 5}));
}

TEST(Partition, LeavesMembersWithoutRowsWhereThereAreTooFew) {
  const Rows bounds = partition_rows(offsets_of({4, 4}), {.members = 5});
  ASSERT_EQ(bounds.size(), 6u);
  EXPECT_EQ(bounds.front(), 0);
  EXPECT_EQ(bounds.back(), 2);
  EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
  EXPECT_EQ(partition_rows(offsets_of({}), {.members = 2}), (Rows{0, 0, 0}));
}

TEST(Partition, SaysTheLargestShare) {
  EXPECT_EQ(largest_share(offsets_of({6, 2, 2, 2}), {.members = 2}), 0.5);
  EXPECT_EQ(largest_share(offsets_of({9, 1}), {.members = 2}), 0.9);
}

}  // namespace
}  // namespace alsbench
