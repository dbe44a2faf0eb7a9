// SPDX-License-Identifier: Apache-2.0
#include "harness/files/host_memory.h"

#include <gtest/gtest.h>

#include <new>

namespace alsbench {
namespace {

TEST(HostMemory, AnErrorHasBothNumbersOrSaysWhatHelps) {
  const HostMemoryError error(int64_t{1} << 50, 12);
  EXPECT_STREQ(host_memory_text(error),
               "out of host memory: 1125899906842624 bytes asked for, 12 free; choose a smaller "
               "problem, --rank or --scale");
  EXPECT_STREQ(host_memory_text(std::bad_alloc()),
               "out of host memory; choose a smaller problem, --rank or --scale");
}

TEST(HostMemory, SomeIsFreeAndLessThanAPetabyte) {
  EXPECT_GT(free_host_bytes(), 0);
  EXPECT_LT(free_host_bytes(), int64_t{1} << 50);
  EXPECT_NO_THROW(require_host_memory(1));
  EXPECT_THROW(require_host_memory(int64_t{1} << 50), HostMemoryError);
}

}  // namespace
}  // namespace alsbench
