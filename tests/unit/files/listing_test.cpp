// SPDX-License-Identifier: Apache-2.0
#include "base/listing.h"

#include <gtest/gtest.h>

namespace alsbench {
namespace {

TEST(Listing, NamesTheFirstAndCountsTheRest) {
  EXPECT_EQ(listing({}, 2), "");
  EXPECT_EQ(listing({"a"}, 2), "a");
  EXPECT_EQ(listing({"a", "b"}, 2), "a and b");
  EXPECT_EQ(listing({"a", "b", "c"}, 3), "a, b and c");
  EXPECT_EQ(listing({"a", "b", "c", "d", "e"}, 2), "a, b and 3 more");
}

}  // namespace
}  // namespace alsbench
