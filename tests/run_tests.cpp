// SPDX-License-Identifier: Apache-2.0
#include "tests/run_tests.h"

#include <gtest/gtest.h>

#include <iostream>

namespace alsbench::testing {

int run_tests(int argc, char** argv) {
  constexpr int kSkipped = 77;
  ::testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  if (failed != 0 || GTEST_FLAG_GET(list_tests)) return failed;
  const ::testing::UnitTest& tests = *::testing::UnitTest::GetInstance();
  if (tests.test_to_run_count() == 0) {
    std::cerr << "no test has a name like " << GTEST_FLAG_GET(filter) << "\n";
    return 1;
  }
  return tests.successful_test_count() == 0 ? kSkipped : 0;
}

}  // namespace alsbench::testing
