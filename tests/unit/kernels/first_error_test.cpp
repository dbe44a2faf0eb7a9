// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/first_error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <vector>

#include "kernels/cpu/parallel.h"

namespace alsbench {
namespace {

TEST(FirstError, LeavesAParallelRegionAsAnException) {
  EXPECT_THROW(parallel_rows(1000, 4,
                             [](int64_t row, int) {
                               if (row == 500) throw std::bad_alloc();
                             }),
               std::bad_alloc);
  const std::vector<int64_t> offsets{0, 1, 2, 100};
  EXPECT_THROW(parallel_rows_by_length(offsets.data(), 3, 4,
                                       [](int64_t row, int) {
                                         if (row == 2) throw std::out_of_range("row");
                                       }),
               std::out_of_range);
}

TEST(FirstError, IsNoneWhereAllWorkIsDone) {
  std::atomic<int> done = 0;
  parallel_rows(100, 4, [&](int64_t, int) { ++done; });
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace alsbench
